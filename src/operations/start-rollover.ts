import type { Rollover } from '../dnssec/rollover.ts';
import { isMadeAlgorithm, madeAlgorithm, type MadeAlgorithm, type ZoneKey } from '../dnssec/zone-key.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, success, type Result, type WriteResult } from '../model/result.ts';
import { findSigningCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import { makeZoneKey } from './make-zone-key.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

export interface NewRollover {
  /** 13 or 15, also as a decimal string; absent: the algorithm that the domain has, or 13 in place of RSA. */
  readonly algorithm?: number | string | undefined;
}

/** Makes a new key for a signed domain and begins to exchange the present one (contract rule 65). */
export async function startRollover(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  wanted: NewRollover,
): Promise<WriteResult<Rollover>> {
  const asked = parseAlgorithm(wanted.algorithm);
  if (!asked.ok) return asked;
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const refusal = await findSigningCostRefusal(context, caller, domain);
  if (refusal !== undefined) return refusal;
  const keys = domain.denial === null ? [] : await context.store.signing.zoneKeys(domain);
  const made = makeZoneKey(context, asked.value ?? presentAlgorithm(keys), { others: keys });
  if (!made.ok) return made;
  const terms = termsOf(context, caller);
  return commitDomainWrite(
    context,
    { kind: 'startRollover', ...terms, domain: domain.name, id: context.newId(), key: made.value.key },
    caller,
  );
}

const algorithms: readonly MadeAlgorithm[] = Object.values(madeAlgorithm);

function parseAlgorithm(wanted: NewRollover['algorithm']): Result<MadeAlgorithm | undefined> {
  if (wanted === undefined) return success(undefined);
  const known = algorithms.find((algorithm) => String(algorithm) === String(wanted).trim());
  if (known !== undefined) return success(known);
  return refused(
    'invalid_request',
    `algorithm must be ${algorithms.join(' or ')}, not ${quoteText(String(wanted))}`,
    'algorithm',
  );
}

/**
 * A domain that is not signed has none, and is refused later. No RSA keys are made: such a domain goes to what every new
 * domain has.
 */
function presentAlgorithm(keys: readonly ZoneKey[]): MadeAlgorithm {
  const present = keys.find(({ origin }) => origin !== 'foreign')?.algorithm;
  return present !== undefined && isMadeAlgorithm(present) ? present : madeAlgorithm.ECDSAP256SHA256;
}
