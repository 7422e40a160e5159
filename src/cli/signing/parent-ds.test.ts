import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';
import { textTerminal } from '../terminal/text-terminal.test-support.ts';
import { describeParentOnly, describeSignedSource } from './describe-signing.ts';
import { createAskParent } from './parent-ds.ts';

const server = await prepareServer();
const { run } = server;

let resolver: Socket | undefined;
afterEach(() => {
  resolver?.close();
  resolver = undefined;
});

const digest = 'e2d3c916f6deeac73294e8268fb5885044a833fc5459588f4a9184cfc41a5766';
const ds = { keyTag: 27933, algorithm: 13, digestType: 2, digest: Buffer.from(digest, 'hex') };

function soaOf(name: string) {
  const data = { mname: 'a', rname: 'b', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 };
  return { name, type: 'SOA' as const, class: 'IN' as const, ttl: 60, data };
}

/** A resolver that knows one signed domain, example.com. For example.org it is the nameserver of the zone itself. */
async function startResolver(rcode = 0): Promise<string> {
  const socket = createSocket('udp4');
  resolver = socket;
  socket.on('message', (bytes, { port, address }) => {
    const { id, questions } = decode(bytes);
    const isSigned = questions[0]?.name === 'example.com' && questions[0].type === 'DS';
    const answers = isSigned
      ? [{ name: 'example.com', type: 'DS' as const, class: 'IN' as const, ttl: 60, data: ds }]
      : [];
    const authorities = isSigned ? [] : [soaOf(questions[0]?.name === 'example.net' ? 'net' : 'example.org')];
    const message = { id, type: 'response' as const, flags: rcode, questions, answers, authorities };
    socket.send(encode(message), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

const terminal = textTerminal();

test('the DS records at the parent are those that the resolver has', async () => {
  const ask = createAskParent({ resolver: await startResolver() }, terminal);
  expect(await ask('example.com')).toEqual({
    state: 'present',
    records: [expect.stringMatching(new RegExp(`^27933 13 2 ${digest}$`, 'i'))],
  });
  expect(await ask('example.net')).toEqual({ state: 'absent' });
  expect(await ask('example.org')).toMatchObject({ state: 'unknown' });
  expect(await ask('example.net')).toEqual({ state: 'absent' });
});

test('without an answer the DS records are not known, and the resolver is not asked again', async () => {
  const ask = createAskParent({ resolver: await startResolver(2) }, terminal);
  const first = await ask('example.com');
  expect(first).toMatchObject({ state: 'unknown', reason: expect.stringMatching(/SERVFAIL/) as string });
  resolver?.close();
  resolver = undefined;
  expect(await ask('example.net')).toBe(first);
});

test('nobody is asked with --resolver none', async () => {
  expect(await createAskParent({ resolver: 'none' }, terminal)('example.com')).toBeUndefined();
  expect(() => createAskParent({ resolver: 'a:99999' }, terminal)).toThrow(/^--resolver: /);
  const set = { ...terminal, environment: { ZONEWRIGHT_RESOLVER: 'a:99999' } };
  expect(() => createAskParent({}, set)).toThrow(/^ZONEWRIGHT_RESOLVER: /);
});

test('the sentences say what to do before the delegation changes', () => {
  const present = { state: 'present', records: ['1 13 2 AB', '2 13 2 CD'] } as const;
  expect(describeSignedSource('example.com', present)).toMatch(
    /^the zone is signed there, but not here: the parent zone has the DS record 1 13 2 AB and 2 13 2 CD: have it removed/,
  );
  expect(describeSignedSource('example.com', { state: 'absent' })).toMatch(
    /no DS record, so the delegation can change$/,
  );
  const unknown = { state: 'unknown', reason: 'r did not answer' } as const;
  expect(describeSignedSource('example.com', unknown)).toContain(
    'not known whether the parent zone has a DS record',
  );
  expect(describeSignedSource('example.com', undefined)).toContain('if the parent zone has a DS record');
  expect(describeParentOnly('example.com', { state: 'absent' })).toBeUndefined();
  expect(describeParentOnly('example.com', present)).toMatch(
    /^this service does not sign, but the parent zone has/,
  );
});

test('check says which DS record the parent has', async () => {
  server.answers = [{ status: 200, body: { warnings: [] } }];
  const found = await run(['check', 'example.com', '--resolver', await startResolver()]);
  expect(found).toMatchObject({ exitCode: 0, stdout: '' });
  expect(found.stderr).toMatch(
    /^example\.com: this service does not sign, but the parent zone has the DS record 27933 13 2 /,
  );
});
