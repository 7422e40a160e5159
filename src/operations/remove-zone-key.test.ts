import { expect, test } from 'vitest';
import type { WriteResult } from '../model/result.ts';
import { addZoneKey } from './add-zone-key.ts';
import { askingParent } from './asking-parent.test-support.ts';
import { createDomain } from './create-domain.ts';
import { listZoneKeys } from './list-zone-keys.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { removeZoneKey } from './remove-zone-key.ts';
import { newKeyPair } from '../dnssec/key-pair.test-support.ts';

const { context, caller } = await openOperationScene('nsec');
let counter = 0;

function valueOf<T>(result: WriteResult<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

function newDnskey(): string {
  const { x = '', y = '' } = newKeyPair('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  const octets = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return `257 3 13 ${octets.toString('base64')}`;
}

/** A signed domain with a key of another provider. */
async function share() {
  counter++;
  const domain = `d${counter}.test.example`;
  valueOf(await createDomain(context, caller, { domain, dns_sec: 'enabled' }));
  const { id, ds, tag } = valueOf(await addZoneKey(context, caller, domain, { dnskey: newDnskey() }));
  const keys = await listZoneKeys(context, caller, domain);
  if (ds === null || !keys.ok) throw new Error('the key gets a DS record');
  const [own] = keys.value;
  return { domain, id, ds, tag, own };
}

test("another provider's key stays while one server of the parent zone has its DS record", async () => {
  const { domain, id, ds, tag, own } = await share();
  const asking = await askingParent(context, domain, [own.ds ?? ''], [own.ds ?? '', ds], undefined);
  for (const dryRun of [undefined, true] as const) {
    expect(await removeZoneKey(asking, { ...caller, terms: { dryRun } }, domain, id)).toEqual({
      ok: false,
      refusal: {
        code: 'dnssec_conflict',
        message: `The key with tag ${tag} of "${domain}" cannot be removed, because b.servers.net has its DS record: no longer announce the key (zonewright domain dnssec key withdraw), have the DS record removed, and wait for its TTL`,
      },
    });
  }
  expect(await listZoneKeys(context, caller, domain)).toMatchObject({ value: [own, { id }] });
});

test("another provider's key goes when no server has its DS record, or none can be asked", async () => {
  for (const servers of [[undefined, []], [undefined]]) {
    const { domain, id, own } = await share();
    const asking = await askingParent(
      context,
      domain,
      ...servers,
      ...(servers.length > 1 ? [[own.ds ?? '']] : []),
    );
    expect(await removeZoneKey(asking, caller, domain, id)).toMatchObject({ ok: true, changed: true });
    expect(await listZoneKeys(context, caller, domain)).toMatchObject({ value: [own] });
  }
});

test('the own key is refused without asking anybody', async () => {
  const { domain, own } = await share();
  const refused = { ok: false, refusal: { code: 'dnssec_conflict' } };
  expect(await removeZoneKey(context, caller, domain, own.id)).toMatchObject(refused);
});
