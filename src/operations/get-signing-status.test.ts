import type { Packet } from 'dns-packet';
import { expect, onTestFinished, test } from 'vitest';
import { soaOf, startParent } from '../dns-client/parent.test-support.ts';
import { createZoneKey } from '../dnssec/private-key.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { KeySetLooks } from '../signer/key-set-looks.ts';
import { addZoneKey } from './add-zone-key.ts';
import { createDomain } from './create-domain.ts';
import { getSigningStatus } from './get-signing-status.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { startRollover } from './start-rollover.ts';

const { context, caller } = await openOperationScene('nsec');
const forEver = (): AbortSignal => new AbortController().signal;

/** Looks at a nameserver of another provider that publishes no key, and the types that it was asked for. */
async function openLooks(domain: string): Promise<{ looks: KeySetLooks; questions: string[] }> {
  const questions: string[] = [];
  const answer = ({ questions: asked }: Packet): object => {
    const [{ name, type }] = asked;
    questions.push(type);
    return { flags: 0x0400, answers: type === 'SOA' ? [soaOf(name)] : [] };
  };
  const lookup = await startParent({ zone: domain, servers: { 'ns.other.example': answer } });
  const { clock, monotonic } = context;
  const looks = new KeySetLooks({ lookup, clock, monotonic, shortestTurnMs: 0 });
  onTestFinished(() => {
    looks.close();
  });
  return { looks, questions };
}

async function nextStepOf(domain: string, keySetLooks: KeySetLooks): Promise<string> {
  const status = await getSigningStatus({ ...context, keySetLooks }, caller, domain, forEver);
  if (!status.ok) throw new Error(status.refusal.message);
  return status.value.nextStep;
}

/** Creates a signed domain with a key of another provider. */
async function createShared(domain: string): Promise<void> {
  expect(await createDomain(context, caller, { domain, dns_sec: 'enabled' })).toMatchObject({ ok: true });
  const stored = (await context.store.findDomain(caller.accountId, domain as never))!;
  const others = await context.store.signing.zoneKeys(stored);
  if (context.signing === undefined) throw new Error('the service can sign');
  const about = { id: context.newId(), algorithm: 13, createdAtSeconds: 1 } as const;
  const { dnskey } = createZoneKey(about, context.signing.secrets, others);
  const text = `257 3 13 ${Buffer.from(dnskey.subarray(4)).toString('base64')}`;
  expect(await addZoneKey(context, caller, domain, { dnskey: text })).toMatchObject({ ok: true });
}

const ofOneLook = ['SOA', 'DNSKEY', 'CDS', 'CDNSKEY'];

test('while a key is exchanged beside another provider, the status says what its nameservers lack', async () => {
  const domain = 'shared.example';
  await createShared(domain);
  const { looks, questions } = await openLooks(domain);
  expect(await nextStepOf(domain, looks)).not.toContain('ns.other.example');
  expect(questions).toEqual([]);
  expect(await startRollover(context, caller, domain, {})).toMatchObject({
    ok: true,
    value: { kind: 'shared' },
  });
  expect(await nextStepOf(domain, looks)).toMatch(
    /^Have these DNSKEY records published by the other providers that sign shared\.example: 257 3 13 \S+ and 257 3 13 \S+\. ns\.other\.example does not have them yet\. /,
  );
  expect(questions).toEqual(ofOneLook);
});

test('nameservers that were asked before the step began are asked again', async () => {
  const domain = 'again.example';
  await createShared(domain);
  const { looks, questions } = await openLooks(domain);
  await looks.look(caller.accountId, ownerDomainName(APEX, domain as never), domain);
  expect(questions).toEqual(ofOneLook);
  expect(await startRollover(context, caller, domain, {})).toMatchObject({ ok: true });
  await nextStepOf(domain, looks);
  expect(questions).toEqual([...ofOneLook, ...ofOneLook]);
});
