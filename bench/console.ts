/**
 * `npm run bench:console`: the records of a large domain in Chromium, with the service on the same cores. Prints the medians of some
 * rounds, each with a new page.
 *
 *     npm run bench:console                      100,000 records, five rounds, about two minutes
 *     npm run bench:console -- --records 10000   fewer
 *     npm run bench:console -- --rounds 1
 *     npm run bench:console -- --slower 4        with a processor that is four times slower
 *     npm run bench:console -- --latency 40      with a service that is 40 ms away
 *     npm run bench:console -- --also ../before  another built checkout in turn, for example of the version before
 */

import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { openChromium } from '../test/console/open-chromium.ts';
import { consoleProbe } from './console-probe.ts';
import { percentile } from './percentile.ts';
import { printTable } from './print-table.ts';
import { createDomain, sendRequest } from './send-request.ts';
import { ownCheckout, startService, type ServiceUnderTest } from './service-under-test.ts';

const DOMAIN = 'bench.example';

/** Somebody types fast: ten keys a second. */
const KEY_MS = 100;

/** Longer than the page waits before it puts a filter into the address. */
const PAUSE_MS = 500;

/** Narrow and wide filters: thousands of rows, one, none, and all again. */
const words = ['host1234', '192.0.2.7', 'mail', 'zzz'];

/** A key that is held. */
const REPEAT_MS = 33;
const PAGES = 60;

const SCROLL_PIXELS = 12_000;
const PIXELS_PER_SECOND = 3000;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    slower: { type: 'string', default: '1' },
    latency: { type: 'string', default: '0' },
    also: { type: 'string', multiple: true, default: [] },
  },
});
const records = Number(values.records);
const rounds = Number(values.rounds);
const slower = Number(values.slower);
const latency = Number(values.latency);

type Figures = Readonly<Record<string, number>>;

interface Measured {
  readonly service: ServiceUnderTest;
  readonly rounds: Figures[];
}

const browser = await openChromium();
const measured: Measured[] = [];
try {
  for (const checkout of [ownCheckout, ...values.also.map((folder) => resolve(folder))])
    measured.push({ service: await startFilled(checkout), rounds: [] });
  for (let round = 0; round < rounds; round++)
    for (const { service, rounds: done } of measured) done.push(await measureRound(service, round));
  const heads = measured.flatMap(({ service }) => [basename(service.checkout), 'worst']);
  printTable(['what', ...heads], rowsOf(measured));
} finally {
  await browser.close();
  for (const { service } of measured) await service.stop();
}

async function startFilled(checkout: string): Promise<ServiceUnderTest> {
  const service = await startService({ checkout });
  await createDomain(service, DOMAIN);
  await sendRequest(service, 'POST', `/v2/domains/${DOMAIN}/zonefile`, zoneText(records));
  return service;
}

/** Together with the two NS records of a new domain, as many as were asked for. */
function zoneText(count: number): string {
  const lineOf = (at: number): string => {
    const [one, other] = [at >> 8, at & 255];
    if (at % 20 === 0) return `mail${at}.customers 3600 IN MX 10 mail${at}.example.net.`;
    if (at % 10 === 0) return `_acme-challenge.host${at} 60 IN TXT "token-${(at * 7919) % 1_000_003}"`;
    if (at % 5 === 0) return `www.host${at} 300 IN CNAME host${at}.${DOMAIN}.`;
    if (at % 4 === 0) return `host${at} 300 IN AAAA 2001:db8::${one.toString(16)}:${other.toString(16)}`;
    return `host${at} 300 IN A ${at % 2 === 0 ? '192.0.2' : `10.${one >> 8}.${one & 255}`}.${other}`;
  };
  return Array.from({ length: count - 2 }, (_, at) => lineOf(at)).join('\n');
}

async function measureRound(service: ServiceUnderTest, round: number): Promise<Figures> {
  const page = await openPage(service, round);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const network = { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', network);
  const all = `${records.toLocaleString('en-GB')} records`;
  await page.goto(`/d/${DOMAIN}/records`);
  const completeMs = await page.evaluate<number>(`probe.untilCount(${JSON.stringify(all)})`);
  const loadedMs = await computedMs(devtools);
  const figures = {
    'until the grid is complete, ms': completeMs,
    'CPU of the page for it, ms': loadedMs,
    ...(await measureKeys(page, devtools)),
    ...(await measureScrolling(page, devtools)),
    ...(await measurePageDown(page, devtools)),
    ...(await measureMemory(devtools)),
  };
  await page.context().close();
  return figures;
}

async function openPage(service: ServiceUnderTest, round: number): Promise<Page> {
  const baseURL = `http://localhost:${service.httpPort}`;
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
  });
  await context.addInitScript(consoleProbe);
  const page = await context.newPage();
  const answer = await sendRequest(service, 'POST', '/v2/invitations', { role: 'owner' });
  const { invitation } = JSON.parse(answer) as { readonly invitation: { readonly link: string } };
  await page.goto(`/invite${new URL(invitation.link).hash}`);
  await page.getByLabel('Email').fill(`round${round}@example.net`);
  await page.getByLabel('Your name').fill('Anna Example');
  await page.getByLabel('New password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'You have joined' }).waitFor();
  return page;
}

async function measureKeys(page: Page, devtools: CDPSession): Promise<Figures> {
  await page.evaluate('probe.watchKeys()');
  await page.keyboard.press('/');
  await sleep(PAUSE_MS);
  await page.evaluate('probe.keys = []');
  const startMs = await computedMs(devtools);
  for (const word of words) {
    await page.keyboard.type(word, { delay: KEY_MS });
    await sleep(PAUSE_MS);
    for (let at = 0; at < word.length; at++) {
      await page.keyboard.press('Backspace');
      await sleep(KEY_MS);
    }
    await sleep(PAUSE_MS);
  }
  const endMs = await computedMs(devtools);
  const keys = await page.evaluate<{ ms: number }[]>('probe.keys');
  const tasks = await page.evaluate<number[]>('probe.tasks');
  const sorted = keys.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    'key of the filter until it is shown, p50, ms': percentile(sorted, 50),
    'the same, p95, ms': percentile(sorted, 95),
    'the same, longest, ms': percentile(sorted, 100),
    'longest task while typing, ms': Math.max(0, ...tasks),
    'CPU of the page for each key, ms': (endMs - startMs) / keys.length,
  };
}

async function measureScrolling(page: Page, devtools: CDPSession): Promise<Figures> {
  await page.evaluate('scrollTo(0, 0)');
  await sleep(PAUSE_MS);
  const startMs = await computedMs(devtools);
  await page.evaluate('probe.startFrames()');
  await devtools.send('Input.synthesizeScrollGesture', {
    x: 700,
    y: 500,
    yDistance: -SCROLL_PIXELS,
    speed: PIXELS_PER_SECOND,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
  const endMs = await computedMs(devtools);
  const frames = (await page.evaluate<number[]>('probe.stopFrames()')).sort((a, b) => a - b);
  return {
    'scrolling by wheel, frames/s': perSecond(frames),
    'the same, longest frame, ms': percentile(frames, 100),
    'CPU of the page for a second of it, ms': (endMs - startMs) / (SCROLL_PIXELS / PIXELS_PER_SECOND),
  };
}

/** Page Down is held. */
async function measurePageDown(page: Page, devtools: CDPSession): Promise<Figures> {
  await page.getByRole('rowheader').first().focus();
  await page.evaluate('probe.keys = []; probe.startFrames()');
  const startMs = await computedMs(devtools);
  for (let at = 0; at < PAGES; at++) {
    await page.keyboard.down('PageDown');
    await sleep(REPEAT_MS);
  }
  const endMs = await computedMs(devtools);
  const frames = (await page.evaluate<number[]>('probe.stopFrames()')).sort((a, b) => a - b);
  const keys = await page.evaluate<{ ms: number }[]>('probe.keys');
  const sorted = keys.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    'Page Down held, frames/s': perSecond(frames),
    'Page Down until it is shown, p95, ms': percentile(sorted, 95),
    'CPU of the page for each, ms': (endMs - startMs) / PAGES,
  };
}

function perSecond(frames: readonly number[]): number {
  return (1000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0);
}

async function measureMemory(devtools: CDPSession): Promise<Figures> {
  await devtools.send('HeapProfiler.collectGarbage');
  const heap = await readMetric(devtools, 'JSHeapUsedSize');
  return { 'heap, MB': heap / 1e6, 'nodes of the document': await readMetric(devtools, 'Nodes') };
}

/** The processor time of the page's main thread. Other than times of the clock, it hardly depends on what else the machine does. */
async function computedMs(devtools: CDPSession): Promise<number> {
  return 1000 * (await readMetric(devtools, 'TaskDuration'));
}

async function readMetric(devtools: CDPSession, name: string): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === name)?.value ?? NaN;
}

/** The lowest rate is the worst; all other figures are worst when they are high. */
function rowsOf(services: readonly Measured[]): string[][] {
  const names = Object.keys(services.at(0)?.rounds.at(0) ?? {});
  return names.map((name) => {
    const isRate = name.endsWith('/s');
    const cells = services.flatMap(({ rounds: done }) => {
      const sorted = done.map((figures) => figures[name] ?? NaN).sort((a, b) => a - b);
      const worst = isRate ? sorted.at(0) : sorted.at(-1);
      return [percentile(sorted, 50), worst ?? NaN].map((value) => value.toFixed(0));
    });
    return [name, ...cells];
  });
}
