// The typed client in a browser: Chromium opens a page of another origin, which imports the built client unchanged
// and uses the service.

import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectEqual } from '../expect.ts';
import { cleanEnvironment, startProgram, stopProgram } from '../run-program.ts';
import { startService, type Service } from '../service.ts';
import type { Suite } from '../suite.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** A browser starts in two seconds, but more slowly on a busy machine. */
const RESULT_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 5_000;

export const browserSuite: Suite = {
  name: 'browser',
  run: async (runCase, bench) => {
    const named = await openSite();
    const other = await openSite();
    // A separate service, because the shared one must not allow browsers.
    const folder = mkdtempSync(join(bench.folder, 'browser-'));
    const service = await startService(checkout, folder, { ZONEWRIGHT_CORS_ORIGINS: named.origin });
    await runCase('a page of an origin that is named', () => checkNamed(named, service, folder));
    await runCase('a page of another origin', () => checkOther(other, service, folder));
    await service.stop();
    for (const { server } of [named, other]) server.close();
  },
};

async function checkNamed(site: Site, service: Service, folder: string): Promise<string> {
  const seen = await openPage(site, service, folder, 'work.js');
  expectEqual(
    seen,
    {
      domains: ['browser.example'],
      records: 1202,
      pages: 3,
      deleted: [1201, 'unknown_record'],
      serials: [true, true],
      precondition: 412,
      zoneFile: true,
      note: 'Größe geändert',
    },
    'what the page saw',
  );
  return '1,200 records in a batch, 3 pages, deleted, refused, exported';
}

async function checkOther(site: Site, service: Service, folder: string): Promise<string> {
  expectEqual(await openPage(site, service, folder, 'refused.js'), 'UnreachableError', 'what the page saw');
  return 'the browser keeps the answer to itself';
}

interface Site {
  readonly origin: string;
  readonly server: Server;
  /** Resolves with the page's result. */
  nextResult(): Promise<unknown>;
}

/** The page's origin: serves its scripts and the built client, and receives its result. */
async function openSite(): Promise<Site> {
  let give: ((result: unknown) => void) | undefined;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://page').pathname;
    if (request.method === 'POST') {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      request.on('end', () => give?.(JSON.parse(text)));
      response.end();
      return;
    }
    readPart(path).then(
      ({ type, body }) => response.setHeader('Content-Type', type).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    nextResult: () => new Promise((resolve) => (give = resolve)),
  };
}

async function readPart(path: string): Promise<{ readonly type: string; readonly body: string }> {
  if (path === '/')
    return { type: 'text/html', body: '<!doctype html><script type="module" src="/run.js"></script>' };
  const root = path.startsWith('/dist/') ? checkout : fileURLToPath(new URL('browser', import.meta.url));
  return { type: 'text/javascript', body: await readFile(join(root, path), 'utf8') };
}

async function openPage(site: Site, service: Service, folder: string, script: string): Promise<unknown> {
  const about = new URLSearchParams({
    script,
    url: `http://127.0.0.1:${service.httpPort}`,
    key: service.key,
  });
  const profile = join(folder, `chromium-${script}`);
  const result = site.nextResult();
  const browser = startProgram(
    'chromium',
    [...switches, `--user-data-dir=${profile}`, `${site.origin}/?${about.toString()}`],
    {
      env: cleanEnvironment({ HOME: folder }),
    },
  );
  let said = '';
  browser.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the page said nothing:\n${said}`)), RESULT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([result, tooLong]);
  } finally {
    clearTimeout(timer);
    await stopProgram(browser, STOP_GRACE_MS);
  }
}

/** Runs without privileges in a container, and connects only to the page and the service. */
const switches = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
