import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { freePort } from '../../test/harness/free-port.ts';
import { notifyParent } from './notify-parent.ts';
import { recordOf, soaOf, startParent } from './parent.test-support.ts';

const HOST = '127.0.0.9';

/** A receiver of notifications, with the headers and questions that have come, in hexadecimal. */
async function startReceiver(answers = true) {
  const port = await freePort();
  const received: string[] = [];
  const socket = createSocket('udp4', (bytes, from) => {
    received.push(bytes.subarray(2).toString('hex'));
    const answer = Buffer.from(bytes);
    answer[2] |= 0x80;
    if (answers) socket.send(answer, from.port, from.address);
  });
  socket.bind(port, HOST);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { port, received };
}

function dsync(owner: string, port: number, { type = 59, scheme = 1, host = 'scanner.example' } = {}) {
  const head = Buffer.from([type >> 8, type & 0xff, scheme, port >> 8, port & 0xff]);
  const labels = host.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  const data = Buffer.concat([head, Buffer.from([...labels, 0])]);
  return { name: owner, type: 'UNKNOWN_66', class: 'IN', ttl: 60, data };
}

async function tell(domain: string, zone: string, also: Record<string, object>, ports: readonly number[]) {
  const lookup = await startParent({
    zone,
    servers: {},
    also: { 'scanner.example A': { answers: [recordOf('scanner.example', HOST)] }, ...also },
  });
  const privateServers = ports.map((port) => ({ host: HOST, port }));
  return notifyParent(getZoneName(domain), { ...lookup, privateServers });
}

/** NOTIFY with AA, one question: the domain, CDS, IN. */
function notification(domain: string): string {
  const name = domain.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return `24000001000000000000${Buffer.concat(name).toString('hex')}00003b0001`;
}

test.each([
  ['at the domain', 'shop._dsync.example UNKNOWN_66'],
  ['of a wildcard for all domains', '_dsync.example UNKNOWN_66'],
])('the target of a DSYNC record %s is told', async (_, key) => {
  const { port, received } = await startReceiver();
  const [owner] = key.split(' ');
  const found = await tell('Shop.example', 'example', { [key]: { answers: [dsync(owner, port)] } }, [port]);
  expect(found).toBe('told');
  expect(received).toEqual([notification('shop.example')]);
});

test('the parent zone can be several labels above the domain', async () => {
  const { port, received } = await startReceiver();
  const negative = { authorities: [soaOf('jp')] };
  for (const owner of ['city.ise.mie._dsync.jp', '_dsync.jp']) {
    const also = {
      'city._dsync.ise.mie.jp UNKNOWN_66': negative,
      [`${owner} UNKNOWN_66`]: { answers: [dsync(owner, port)] },
    };
    expect(await tell('city.ise.mie.jp', 'jp', also, [port])).toBe('told');
  }
  expect(received).toEqual(Array.from({ length: 2 }, () => notification('city.ise.mie.jp')));
});

test.each<[string, object | undefined]>([
  ['has no DSYNC record', undefined],
  ['wants to be told of other records', { type: 62 }],
  ['wants to be told in another way', { scheme: 128 }],
])('a parent zone that %s is not told', async (_, fields) => {
  const { port, received } = await startReceiver();
  const answers = fields === undefined ? [] : [dsync('shop._dsync.example', port, fields)];
  const also = answers.length === 0 ? {} : { 'shop._dsync.example UNKNOWN_66': { answers } };
  expect(await tell('shop.example', 'example', also, [port])).toBe('unwanted');
  expect(received).toEqual([]);
});

test('an address that is not public is told only at a port that the operator lists', async () => {
  const { port, received } = await startReceiver();
  const also = { 'shop._dsync.example UNKNOWN_66': { answers: [dsync('shop._dsync.example', port)] } };
  expect(await tell('shop.example', 'example', also, [])).toBe('unwanted');
  expect(await tell('shop.example', 'example', also, [port === 65535 ? port - 1 : port + 1])).toBe(
    'unwanted',
  );
  expect(received).toEqual([]);
});

test('a target that does not answer is told three times', async () => {
  const { port, received } = await startReceiver(false);
  const also = { 'shop._dsync.example UNKNOWN_66': { answers: [dsync('shop._dsync.example', port)] } };
  expect(await tell('shop.example', 'example', also, [port])).toBe('silent');
  expect(received).toEqual(Array.from({ length: 3 }, () => notification('shop.example')));
});
