import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { runCommand } from '../command-line.test-support.ts';

const DOMAINS = 40;

const folder = mkdtempSync(join(tmpdir(), 'zw-copy-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (let index = 0; index < DOMAINS; index++) {
  writeFileSync(join(folder, `d${index}.example.zone`), 'www 300 A 192.0.2.1\n');
}

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A service with empty domains that remembers which of them were written. */
async function serve(onRequest: (request: { readonly isWrite: boolean }) => void) {
  const written = new Map<string, number>();
  server = createServer((request, response) => {
    request.resume();
    const domain = /^\/v2\/domains\/([^/]+)\/zonefile/.exec(request.url ?? '')?.[1];
    if (domain === undefined) {
      response.end('{"domains":[],"meta":{"total":0,"links":{"next":"","prev":""}}}');
      return;
    }
    const isWrite = !(request.url ?? '').includes('dry_run=true');
    const isThere = written.has(domain);
    if (isWrite) written.set(domain, (written.get(domain) ?? 0) + 1);
    onRequest({ isWrite });
    const changes = {
      created: isThere ? [] : [{ name: 'www' }],
      updated: [],
      deleted: [],
      unchanged: isThere ? 1 : 0,
    };
    response.end(JSON.stringify({ ...(!isWrite && { dry_run: true }), changes, warnings: [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    written,
    words: ['copy', '--from', `file:${folder}`, '--yes', '--url', url, '--key', 'key', '--resolver', 'none'],
  };
}

test('Ctrl-C finishes the domains in progress, and the same command continues with the rest', async () => {
  let interrupt: (() => void) | undefined;
  let isFirst = true;
  const { written, words } = await serve(({ isWrite }) => {
    if (isWrite && isFirst) interrupt?.();
    if (isWrite) isFirst = false;
  });
  const interrupted = await runCommand(words, { onInterrupt: (listener) => (interrupt = listener) });
  const done = written.size;
  expect(done).toBeLessThan(DOMAINS);
  expect(interrupted.exitCode).toBe(130);
  expect(interrupted.stdout.match(/\tcopied\t/g)).toHaveLength(done);
  expect(interrupted.stdout.match(/\tleft\t/g)).toHaveLength(DOMAINS - done);
  expect(interrupted.stderr).toContain(
    'finishing the domains in progress; press Ctrl-C again to stop immediately\n',
  );
  expect(interrupted.stderr).toContain(`${done} domains copied: ${done} records created`);
  expect(interrupted.stderr).toContain(
    `interrupted: ${DOMAINS - done} of ${DOMAINS} domains left; run the same command again to continue\n`,
  );

  const again = await runCommand(words);
  expect([again.exitCode, written.size]).toEqual([0, DOMAINS]);
  expect(new Set(written.values())).toEqual(new Set([1]));
  expect(again.stderr).toContain(
    `${DOMAINS - done} domains copied: ${DOMAINS - done} records created, 0 updated, 0 deleted, ${done} unchanged\n`,
  );
});

test('Ctrl-C during planning ends the copy at once, with nothing changed', async () => {
  let interrupt: (() => void) | undefined;
  const { written, words } = await serve(() => interrupt?.());
  const { exitCode, stderr } = await runCommand(words, {
    onInterrupt: (listener) => (interrupt = listener),
  });
  expect([exitCode, stderr, written.size]).toEqual([
    130,
    'zonewright: interrupted: nothing was changed\n',
    0,
  ]);
});
