import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newApiKey } from '../harness/api-key.ts';
import {
  makeFolder,
  runProgramme,
  settingsFor,
  spawnProgramme,
  startService,
  STOP_TIMEOUT_MS,
} from '../harness/service.ts';

interface FirstStart {
  readonly pid: number;
  readonly http: string;
  readonly dns: readonly string[];
  /** What stands on stdout. */
  readonly welcome: string;
  /** What stands on stderr so far. */
  log(): string;
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts on a folder without a key and waits until it is ready. */
async function firstStart(data: string): Promise<FirstStart> {
  const child = spawnProgramme(['serve'], settingsFor(data));
  let welcome = '';
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => (welcome += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'close');
  await expect.poll(() => log, { timeout: 20_000 }).toMatch(/"msg":"ready"\}\n/);
  const ready = log.split('\n').find((line) => line.includes('"msg":"ready"'))!;
  return {
    ...(JSON.parse(ready) as { pid: number; http: string; dns: string[] }),
    welcome,
    log: () => log,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

test('the first start draws a key, shows it once with lines to paste, and keeps it for its owner only', async () => {
  const data = join(makeFolder(), 'data');
  const first = await firstStart(data);
  const file = join(data, 'admin.key');
  const key = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.welcome).toContain(`curl -H 'Authorization: Bearer ${key}' 'http://${first.http}/v2/domains'`);
  expect(first.welcome).toContain(`dig @127.0.0.1 -p ${first.dns[0].split(':')[1]} example.com A`);
  expect(first.log()).not.toContain(key);
  expect(await first.stop()).toBe(0);

  const second = await startService({ data });
  expect(second.output()).not.toContain('Zonewright is ready');
  expect(readFileSync(file, 'utf8').trim()).toBe(key);
  expect((await second.http.get('/v2/domains')).status).toBe(200);
  await second.stop();
});

test('a key that the operator brought is taken, and not shown', async () => {
  const data = join(makeFolder(), 'data');
  const keyFile = join(makeFolder(), 'brought.key');
  const key = newApiKey();
  writeFileSync(keyFile, key);
  const service = await startService({ data, settings: { ZONEWRIGHT_ADMIN_KEY_FILE: keyFile } });
  expect((await service.http.get('/v2/accounts')).status).toBe(200);
  expect(service.output()).toContain(`Bearer $(cat ${keyFile})`);
  expect(service.output()).not.toContain(key);
  expect(existsSync(join(data, 'admin.key'))).toBe(false);
  await service.stop();
});

test('a key file that holds no key is refused on an empty store, and left as it is', async () => {
  const data = join(makeFolder(), 'data');
  const keyFile = join(makeFolder(), 'brought.key');
  writeFileSync(keyFile, `${newApiKey()}x`);
  const before = readFileSync(keyFile, 'utf8');
  const settings = { ...settingsFor(data), ZONEWRIGHT_ADMIN_KEY_FILE: keyFile };
  const { code, stdout, stderr } = await runProgramme(['serve'], settings);
  expect(sentenceOf(stderr)).toBe(
    `zonewright: the admin key file ${keyFile} does not hold a well-formed API key: correct it or remove it`,
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(readFileSync(keyFile, 'utf8')).toBe(before);

  writeFileSync(keyFile, newApiKey());
  const service = await startService({ data, settings: { ZONEWRIGHT_ADMIN_KEY_FILE: keyFile } });
  expect((await service.http.get('/v2/accounts')).status).toBe(200);
  await service.stop();
});

test('a port in use is named in one sentence, for HTTP and for DNS, and the next start still shows the key', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as AddressInfo;
  const data = join(makeFolder(), 'data');
  for (const setting of ['ZONEWRIGHT_HTTP', 'ZONEWRIGHT_DNS']) {
    const settings = { ...settingsFor(data), [setting]: `127.0.0.1:${port}` };
    const { code, stdout, stderr } = await runProgramme(['serve'], settings);
    expect(sentenceOf(stderr)).toMatch(new RegExp(`^zonewright: .*\\b${port}\\b.*(in use|another program)`));
    expect([code, stdout]).toEqual([1, '']);
  }
  blocker.close();
  const service = await firstStart(data);
  expect(service.welcome).toContain('Bearer zw_');
  await service.stop();
});

test('a second process on the same store ends with one sentence', async () => {
  const service = await startService();
  const { code, stdout, stderr } = await runProgramme(['serve'], settingsFor(service.data));
  expect(sentenceOf(stderr)).toBe(
    `zonewright: another process is already running on the store in ${service.data}`,
  );
  expect([code, stdout]).toEqual([1, '']);
  expect((await service.http.get('/v2/domains')).status).toBe(200);
  await service.stop();
});

test('a data folder that cannot be had ends the start with one sentence', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'file'), '');
  const settings = settingsFor(join(folder, 'file', 'data'));
  const { code, stderr } = await runProgramme(['serve'], settings);
  expect(sentenceOf(stderr)).toMatch(/^zonewright: the data folder .* can not be written: /);
  expect(code).toBe(1);
});

test('a folder in which nobody can make files ends the start with one sentence', async () => {
  const { code, stderr } = await runProgramme(['serve'], settingsFor('/proc'));
  expect(sentenceOf(stderr)).toMatch(/^zonewright: .*\/proc.* can not be written: /);
  expect(code).toBe(1);
});

test('a setting that is wrong ends the start with one sentence and exit code 2', async () => {
  const data = join(makeFolder(), 'data');
  const { code, stderr } = await runProgramme(['serve'], { ...settingsFor(data), ZONEWRIGHT_HTPP: 'x' });
  expect(stderr).toBe('zonewright: there is no setting ZONEWRIGHT_HTPP, did you mean ZONEWRIGHT_HTTP?\n');
  expect(code).toBe(2);
  expect(existsSync(data)).toBe(false);
});

test('SIGINT ends it with 0 too', async () => {
  const service = await firstStart(join(makeFolder(), 'data'));
  expect(await service.stop('SIGINT')).toBe(0);
  expect(service.log()).toContain('"msg":"stopped"');
});

test('SIGTERM ends it with 0 in time, also with an open connection that says nothing', async () => {
  const service = await firstStart(join(makeFolder(), 'data'));
  const held = await connectTo(service.http);
  const toldAt = performance.now();
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(STOP_TIMEOUT_MS);
  held.destroy();
});

test('a second signal ends it at once', async () => {
  const service = await firstStart(join(makeFolder(), 'data'));
  const held = await connectTo(service.http);
  // A request that never ends keeps the first signal waiting.
  held.write('POST /v2/domains HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
  process.kill(service.pid, 'SIGTERM');
  await expect.poll(() => service.log()).toContain('"msg":"stopping"');
  const toldAt = performance.now();
  expect(await service.stop('SIGTERM')).toBe(1);
  expect(performance.now() - toldAt).toBeLessThan(1_000);
  held.destroy();
});

test('SIGTERM while it starts ends it with 0', async () => {
  for (const delayMs of [150, 300, 450]) {
    const child = spawnProgramme(['serve'], settingsFor(join(makeFolder(), 'data')));
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    setTimeout(() => child.kill('SIGTERM'), delayMs);
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    // Before its first line of code runs, the signal ends the process by itself.
    expect(signal ?? code, log).toSatisfy((end) => end === 0 || end === 'SIGTERM');
  }
});

async function connectTo(address: string): Promise<Socket> {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The only line on stderr that is not of the log. */
function sentenceOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect(lines).toHaveLength(1);
  return lines[0];
}
