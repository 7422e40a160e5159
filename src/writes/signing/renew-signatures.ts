import type { StoredSignature } from '../../dns/stored-signature.ts';
import { isRenewalDue, nextRenewalSeconds } from '../../dnssec/signature-times.ts';
import { decodeHashedName, decodeOwnerSignatures, generatedPrefix } from '../../model/generated-row.ts';
import { signatureCostOf } from '../../dnssec/zone-key.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { RenewableDomain } from './signable-domain.ts';

export interface RenewedSignatures {
  /** The number of names whose signatures were made again. */
  readonly renewed: number;
  /** The place from which the next command continues; null: all signatures of the domain last long enough. */
  readonly next: string | null;
}

/** The most names whose signatures one command makes again: two signatures each, about 50 ms. With an RSA key, a twelfth. */
export const MAX_RENEWED_NAMES = 1000;

/** The most signatures of these names, which can have hundreds each: three a name, as usual names have. */
const MAX_RENEWED_SIGNATURES = 3 * MAX_RENEWED_NAMES;

/** The most rows that one command reads; without a limit, a large zone with few due signatures holds up all writers. */
const MAX_SCANNED_ROWS = 5000;

/**
 * Notes the signatures that end soon, to be made again with the batch. The SOA record is always signed again, because the
 * serial rises. When all of them are noted, the domain is due again in two days.
 *
 * @param from the place at which the former call ended
 */
export function renewSignatures(
  domain: RenewableDomain,
  from: string | undefined,
  nowSeconds: number,
): RenewedSignatures {
  const first = from ?? generatedPrefix.hashedName;
  const rows = domain.generated.committedBetween(
    first,
    `${generatedPrefix.signatures}~`,
    MAX_SCANNED_ROWS + 1,
  );
  const cost = signatureCostOf(domain.keys.all());
  let renewed = 0;
  let signatures = 0;
  let next = rows.at(MAX_SCANNED_ROWS)?.id ?? null;
  for (const row of rows.slice(0, MAX_SCANNED_ROWS)) {
    const types = dueTypes(row, nowSeconds);
    if (types.size === 0) continue;
    if (renewed * cost >= MAX_RENEWED_NAMES || signatures * cost >= MAX_RENEWED_SIGNATURES) {
      next = row.id;
      break;
    }
    domain.renew(row.owner, types);
    renewed++;
    signatures += types.size;
  }
  if (renewed > 0 || next === null) domain.raiseServedSerial();
  if (next === null) domain.change({ renewAtSeconds: nextRenewalSeconds(domain.current.id, nowSeconds) });
  return { renewed, next };
}

function dueTypes({ id, rdata }: DomainRecord, nowSeconds: number): Set<number> {
  const due = signaturesIn(id, rdata).filter((signature) => isRenewalDue(signature, nowSeconds));
  return new Set(due.map(({ type }) => type));
}

function signaturesIn(id: string, rdata: Uint8Array): readonly StoredSignature[] {
  if (id.startsWith(generatedPrefix.signatures)) return decodeOwnerSignatures(rdata)?.signatures ?? [];
  if (!id.startsWith(generatedPrefix.hashedName)) return [];
  const hashed = decodeHashedName(rdata);
  return hashed?.signatures ?? [];
}
