import { parsed } from '../base/parsed.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, success, type Result } from '../model/result.ts';
import { parseZoneName } from '../model/zone-name.ts';
import { authorise } from './authorise.ts';
import { nameserverRecords } from './create-domain.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import type { Requester } from './requester.ts';

export interface ImportTarget {
  readonly name: ZoneName;
  /** Null if the import creates it. */
  readonly domain: Domain | null;
  /** NS records of a new domain; undefined if the import may not create it. */
  readonly nameservers: readonly DomainRecord[] | undefined;
}

/** Finds the domain of a path, or the name of one that the import may create. */
export async function findImportTarget(
  context: OperationContext,
  caller: Requester,
  text: string,
  isCreating: boolean,
): Promise<Result<ImportTarget>> {
  const found = await findPathDomain(context, caller, text);
  if (!isCreating) {
    if (!found.ok) return found;
    return success({ name: found.value.name, domain: found.value, nameservers: undefined });
  }
  const name = found.ok ? parsed(found.value.name) : parseZoneName(text, context.settings.zoneNameRules);
  if (!name.ok) return refused('invalid_request', name.problem, 'domain');
  const target = { domain: name.value, isDryRun: caller.terms?.dryRun };
  const forbidden = found.ok ? undefined : authorise(caller, { needs: 'domains:create' }, target);
  if (forbidden !== undefined) return { ok: false, refusal: forbidden };
  const hosts = await context.nameserverSets.of(caller.accountId);
  const nameservers = nameserverRecords(context, name.value, hosts);
  return success({ name: name.value, domain: found.ok ? found.value : null, nameservers });
}
