import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { startNameserver } from '../../dns-client/nameserver.test-support.ts';
import { recordOf, soaOf } from '../../dns-client/parent.test-support.ts';
import { silentLog } from '../../base/log.ts';
import { enableSigning, suiteSigning } from '../../store/suite/signed-scene.test-support.ts';
import { openRenewalScene } from '../renewal-scene.test-support.ts';
import { CdsNotifier } from './cds-notifier.ts';

const HOST = '127.0.0.9';

/** A registry of all domains below `example` that wants to be told. */
async function startRegistry() {
  const port = await freePort();
  const received: string[] = [];
  const socket = createSocket('udp4', (bytes, from) => {
    received.push(bytes.subarray(13, 13 + bytes[12]).toString());
    bytes[2] |= 0x80;
    socket.send(bytes, from.port, from.address);
  });
  socket.bind(port, HOST);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const target = Buffer.from([0, 59, 1, port >> 8, port & 0xff, 1, 0x73, 7, ...Buffer.from('example'), 0]);
  const resolver = await startNameserver(({ questions }) => {
    const [{ name, type }] = questions;
    if (name === 's.example' && type === 'A') return { answers: [recordOf(name, HOST)] };
    if (!name.endsWith('._dsync.example')) return { authorities: [soaOf('example')] };
    return { answers: [{ name, type: 'UNKNOWN_66', class: 'IN', ttl: 60, data: target }] };
  });
  return { received, lookup: { resolvers: [resolver], privateServers: [{ host: HOST, port }] } };
}

async function openNotifier(isWanted = true) {
  const { received, lookup } = await startRegistry();
  const scene = await openRenewalScene({}, { dnssec: suiteSigning });
  const owner = await scene.tenant();
  const { name, id } = await owner.createDomain();
  const store = scene.store();
  const options = { store, log: silentLog, clock: scene.clock, lookup: isWanted ? lookup : undefined };
  const notifier = new CdsNotifier(options);
  onTestFinished(() => notifier.close());
  const domain = { id, accountId: owner.account.id, name };
  return { ...scene, notifier, owner, domain, received, label: name.split('.')[0] };
}

test('a parent zone is told once that a domain is signed, and once for each other change', async () => {
  const { notifier, owner, domain, received, label } = await openNotifier();
  await notifier.pass();
  expect(received).toEqual([]);
  await enableSigning(owner, domain.name, 'nsec');
  await notifier.pass();
  await notifier.pass();
  expect(received).toEqual([label]);
  for (const mark of ['rollover announced', 'rollover announced', 'withdrawal withdrawing']) {
    notifier.note(domain, mark);
    await notifier.pass();
  }
  expect(received).toEqual([label, label, label]);
  expect(notifier.figures()).toEqual({ told: 3, untold: 0 });
});

test('nobody is told of a domain that is deleted meanwhile, or that has waited since long ago', async () => {
  const { notifier, owner, domain, received, store, clock } = await openNotifier();
  notifier.note(domain, 'rollover announced');
  await owner.deleteDomain(domain.name);
  await notifier.pass();
  const { name } = await owner.createDomain();
  await enableSigning(owner, name, 'nsec');
  const later = { nowMs: () => clock.nowMs() + 3_600_000 };
  const { lookup } = await startRegistry();
  const restarted = new CdsNotifier({ store: store(), log: silentLog, clock: later, lookup });
  await restarted.pass();
  expect(received).toEqual([]);
  expect(restarted.figures()).toEqual({ told: 0, untold: 0 });
});

test('without resolvers, nothing is noted', async () => {
  const { notifier, domain, received } = await openNotifier(false);
  notifier.note(domain, 'rollover announced');
  expect(notifier.figures()).toEqual({ told: 0, untold: 0 });
  expect(received).toEqual([]);
});

test('changes of one account that are too many are counted, and others are still noted', async () => {
  const { notifier, owner } = await openNotifier();
  for (let id = 1; id <= 201; id++) {
    notifier.note(
      { id: 1000 + id, accountId: owner.account.id, name: 'x.example' as never },
      'rollover announced',
    );
  }
  expect(notifier.figures()).toEqual({ told: 0, untold: 1 });
  notifier.note({ id: 5000, accountId: 'other', name: 'y.example' as never }, 'rollover announced');
  expect(notifier.figures()).toEqual({ told: 0, untold: 1 });
});
