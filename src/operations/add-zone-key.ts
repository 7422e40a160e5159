import { assert } from '../base/assert.ts';
import { parseBase64 } from '../dns/base64.ts';
import { sealZoneKey, type KeyMaterial } from '../dnssec/private-key.ts';
import { foreignKey, readDnskey } from '../dnssec/read-dnskey.ts';
import { readPrivateKey } from '../dnssec/read-private-key.ts';
import type { PublicZoneKey, ZoneKey } from '../dnssec/zone-key.ts';
import { dnsSecOf, type ZoneName } from '../model/domain.ts';
import { memberResult, refused, success, type Result, type WriteResult } from '../model/result.ts';
import { findSigningCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import { listKey, type ListedZoneKey } from './list-zone-keys.ts';
import { refuseWithoutSecret } from './make-zone-key.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import type { SigningTerms } from './signing-terms.ts';

/** One of both is required. */
export interface NewZoneKey {
  /** The text of a file; never logged and never repeated in a refusal. */
  readonly private_key?: string | undefined;
  /** DNSKEY RDATA in presentation format. */
  readonly dnskey?: string | undefined;
}

/**
 * Signs a domain with a key that it has elsewhere (contract rule 67), or publishes a key of another provider beside its own
 * (rule 68). Adding a key that is there changes nothing.
 */
export async function addZoneKey(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  sent: NewZoneKey,
): Promise<WriteResult<ListedZoneKey>> {
  const read = readSent(sent);
  if (!read.ok) return read;
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  // A key of another provider changes only the sets of keys.
  const { makeKey, imported } = read.value;
  const refusal = imported && (await findSigningCostRefusal(context, caller, found.value, [imported]));
  if (refusal !== undefined) return refusal;
  const { signing } = context;
  if (signing === undefined) return refuseWithoutSecret();
  const { name } = found.value;
  const id = context.newId();
  const key = makeKey({ id, createdAtSeconds: Math.floor(context.clock.nowMs() / 1000) }, signing);
  const { denial } = signing;
  const command = { kind: 'addZoneKey', ...termsOf(context, caller), domain: name, key, denial } as const;
  const result = await commitDomainWrite(context, command, caller);
  if (!result.ok) return result;
  const shown = { ...result, value: showKey(name, result.value) };
  const before = dnsSecOf(found.value);
  if (result.difference === undefined || !result.changed || before === 'enabled') return shown;
  return { ...shown, difference: { ...result.difference, dnsSec: { before, after: 'enabled' } } };
}

type MakeKey = (about: Pick<ZoneKey, 'id' | 'createdAtSeconds'>, terms: SigningTerms) => ZoneKey;

interface ReadZoneKey {
  readonly makeKey: MakeKey;
  /** The private key, with which the domain is to be signed. */
  readonly imported?: KeyMaterial;
}

function readSent({ private_key: privateKey, dnskey }: NewZoneKey): Result<ReadZoneKey> {
  if (privateKey !== undefined && dnskey === undefined) {
    const material = memberResult('private_key', readPrivateKey(privateKey));
    if (!material.ok) return material;
    const makeKey: MakeKey = (about, { secrets }) =>
      sealZoneKey({ ...about, origin: 'imported' }, material.value, secrets);
    return success({ makeKey, imported: material.value });
  }
  if (dnskey !== undefined && privateKey === undefined) {
    const data = memberResult('dnskey', readDnskey(dnskey));
    if (!data.ok) return data;
    return success({
      makeKey: ({ id, createdAtSeconds }) => foreignKey(data.value, id, createdAtSeconds),
    });
  }
  return refused(
    'invalid_request',
    'Send either private_key, to sign the domain with it, or dnskey, to publish a key of another provider',
  );
}

function showKey(domain: ZoneName, key: PublicZoneKey): ListedZoneKey {
  const dnskey = parseBase64(key.dnskey);
  assert(dnskey.ok, 'the DNSKEY RDATA of a result is base64');
  return listKey(domain, { ...key, dnskey: dnskey.value });
}
