import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newApiKey } from '../harness/api-key.ts';
import { freePort } from '../harness/free-port.ts';
import { HttpClient } from '../harness/http-client.ts';
import type { Program } from '../harness/program.ts';
import { findReadyLine, type ReadyLine } from '../harness/ready-line.ts';
import { makeDataFolder, makeFolder, settingsFor, startProgram } from '../harness/service.ts';

/*
 * The operator's view of startup: welcome, key file, refusals, signals. The promises of the running service are
 * tested with the contract.
 */

/** Starts in a folder without a key and waits until the service is ready. */
async function start(settings: Record<string, string>): Promise<Program & ReadyLine> {
  const program = startProgram(['serve'], settings);
  await expect.poll(() => findReadyLine(program.stderr())).toBeDefined();
  return { ...program, ...findReadyLine(program.stderr())! };
}

async function stop(program: Program): Promise<void> {
  program.signal('SIGTERM');
  expect(await program.ended()).toBe(0);
}

/** Runs a start that must fail. Returns its sentence, the only line on stderr besides the log. */
async function refusedStart(settings: Record<string, string>, exitCode: number): Promise<string> {
  const program = startProgram(['serve'], settings);
  expect([await program.ended(), program.stdout()]).toEqual([exitCode, '']);
  const lines = program
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  expect(lines).toHaveLength(1);
  return lines[0];
}

async function statusWith(key: string, address: string): Promise<number> {
  const client = new HttpClient(address, key);
  const { status } = await client.get('/v2/accounts');
  client.close();
  return status;
}

test('the first start prints commands to paste, with the real ports but without the key; the second prints nothing', async () => {
  const settings = settingsFor(join(makeFolder(), 'data'));
  const first = await start(settings);
  const key = readFileSync(join(settings['ZONEWRIGHT_DATA'], 'admin.key'), 'utf8').trim();
  const keyFile = join(settings['ZONEWRIGHT_DATA'], 'admin.key');
  expect(first.stdout()).toContain(
    `curl -H "Authorization: Bearer $(cat ${keyFile})" 'http://${first.http}/v2/domains'`,
  );
  expect(first.stdout()).toContain(`API key     kept in ${keyFile}\n`);
  expect(first.stdout()).not.toContain(key);
  expect(first.stdout()).toContain(`dig @127.0.0.1 -p ${first.dns[0].split(':')[1]} example.com A`);
  expect(first.stderr()).not.toContain(key);
  await stop(first);
  expect(first.stderr()).toContain('"msg":"stopped"');

  const second = await start(settings);
  await stop(second);
  expect(second.stdout()).toBe('');
});

test('a key supplied by the operator is used and not printed', async () => {
  const data = join(makeFolder(), 'data');
  const keyFile = join(makeFolder(), 'brought.key');
  const key = newApiKey();
  writeFileSync(keyFile, key);
  const program = await start({ ...settingsFor(data), ZONEWRIGHT_ADMIN_KEY_FILE: keyFile });
  expect(await statusWith(key, program.http)).toBe(200);
  expect(program.stdout()).toContain(`Bearer $(cat ${keyFile})`);
  expect(program.stdout() + program.stderr()).not.toContain(key);
  expect(existsSync(join(data, 'admin.key'))).toBe(false);
  await stop(program);
});

test('a key supplied by the operator is valid from the first answer on', async () => {
  const data = makeDataFolder();
  const key = readFileSync(join(data, 'admin.key'), 'utf8').trim();
  const port = await freePort();
  const program = startProgram(['serve'], { ...settingsFor(data), ZONEWRIGHT_HTTP: `127.0.0.1:${port}` });
  const outcomes: unknown[] = [];
  while (!outcomes.includes(200)) {
    expect(program.hasEnded(), program.stderr()).toBe(false);
    const client = new HttpClient(`127.0.0.1:${port}`, key);
    const outcome = await client.get('/v2/account').then(
      ({ status }) => status,
      (error: unknown) => /\bE[A-Z]+\b/.exec(String(error))?.[0] ?? String(error),
    );
    client.close();
    outcomes.push(outcome);
  }
  expect(new Set(outcomes)).toEqual(new Set(['ECONNREFUSED', 200]));
  await stop(program);
});

test.each(['tcp', 'unix'])('nobody can connect over %s before the first key exists', async (kind) => {
  const folder = makeFolder();
  const data = join(folder, 'data');
  const address =
    kind === 'unix' ? { path: join(folder, 'http') } : { host: '127.0.0.1', port: await freePort() };
  const http = 'path' in address ? `unix:${address.path}` : `${address.host}:${address.port}`;
  const program = startProgram(['serve'], { ...settingsFor(data), ZONEWRIGHT_HTTP: http });
  for (;;) {
    expect(program.hasEnded(), program.stderr()).toBe(false);
    const socket = connect({ ...address });
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isConnected) break;
  }
  expect(existsSync(join(data, 'admin.key'))).toBe(true);
  await stop(program);
});

test('an invalid key file is refused and not changed; once fixed, it is used', async () => {
  const keyFile = join(makeFolder(), 'brought.key');
  const settings = { ...settingsFor(join(makeFolder(), 'data')), ZONEWRIGHT_ADMIN_KEY_FILE: keyFile };
  const key = newApiKey();
  writeFileSync(keyFile, `${key}x`);
  expect(await refusedStart(settings, 1)).toBe(
    `zonewright: the admin key file ${keyFile} does not hold a well-formed API key: correct it or remove it`,
  );
  expect(readFileSync(keyFile, 'utf8')).toBe(`${key}x`);

  writeFileSync(keyFile, key);
  const program = await start(settings);
  expect(await statusWith(key, program.http)).toBe(200);
  await stop(program);
});

test('a first start that finds its port in use leaves the welcome to the next start', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const settings = settingsFor(join(makeFolder(), 'data'));
  for (const listener of ['HTTP', 'DNS']) {
    const sentence = await refusedStart({ ...settings, [`ZONEWRIGHT_${listener}`]: `127.0.0.1:${port}` }, 1);
    expect(sentence).toMatch(new RegExp(`^zonewright: ${listener} .*\\b${port}\\b`));
  }
  blocker.close();
  const program = await start(settings);
  expect(program.stdout()).toContain('Zonewright is ready.');
  await stop(program);
});

test('a folder that is not writable is refused', async () => {
  expect(await refusedStart(settingsFor('/proc'), 1)).toMatch(
    /^zonewright: .*\/proc.* can ?not be written: /,
  );
});

test('an invalid setting is refused with exit code 2 before anything is created', async () => {
  const data = join(makeFolder(), 'data');
  expect(await refusedStart({ ...settingsFor(data), ZONEWRIGHT_HTPP: 'x' }, 2)).toBe(
    'zonewright: there is no setting ZONEWRIGHT_HTPP, did you mean ZONEWRIGHT_HTTP?',
  );
  expect(existsSync(data)).toBe(false);
});

test('a second signal ends the service at once', async () => {
  const settings = settingsFor(join(makeFolder(), 'data'));
  const program = await start(settings);
  const key = readFileSync(join(settings['ZONEWRIGHT_DATA'], 'admin.key'), 'utf8').trim();
  const [host, port] = program.http.split(':');
  const held = connect(Number(port), host);
  held.on('error', () => undefined);
  // An unfinished request delays the end after the first signal, and would make the exit code 0.
  held.write(
    `POST /v2/domains HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  );
  await once(held, 'data');
  program.signal('SIGTERM');
  await expect.poll(() => program.stderr()).toContain('"msg":"stopping"');
  program.signal('SIGTERM');
  expect(await program.ended()).toBe(1);
  held.destroy();
});

test('SIGTERM during startup ends the service with 0', async () => {
  for (const delayMs of [150, 300, 450, 600]) {
    const program = startProgram(['serve'], settingsFor(join(makeFolder(), 'data')));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    program.signal('SIGTERM');
    // Null: the signal ended the process before its first line of code ran.
    expect([0, null], program.stderr()).toContain(await program.ended());
  }
});
