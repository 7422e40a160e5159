import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startForFile, type Service } from '../harness/service.ts';
import { openChromium } from './open-chromium.ts';

/* The console in a browser, as people have it. Watches every page for what must never happen. */

export const PASSWORD = 'correct horse battery staple';

/** The name of the machine for which browsers keep passkeys. */
export function originOf(service: Service): string {
  return `http://localhost:${service.httpAddress.split(':').at(-1) ?? ''}`;
}

export interface ConsoleTest {
  readonly service: Service;
  readonly browser: Browser;
  /** Opens a page of somebody who has not signed in. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
}

/** Things that a page must not do, and did. */
const faults: string[] = [];

export async function openConsole(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleTest> {
  return openConsoleOf(await startForFile(settings));
}

/** @param visits origins to which pages may lead */
export async function openConsoleOf(service: Service, visits: readonly string[] = []): Promise<ConsoleTest> {
  const browser = await openChromium();
  let opened: BrowserContext[] = [];
  // A page that stays open goes on asking the service. Those that are open before a test are for all tests of the file.
  beforeEach(() => {
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((context) => context.close())));
  afterAll(async () => {
    await browser.close();
    expect(faults).toEqual([]);
  });
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: originOf(service),
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      ...options,
    });
    opened.push(context);
    return watch(await context.newPage(), originOf(service), visits);
  };
  return { service, browser, open };
}

/** Notes reports of the policy for content, requests to other hosts, and failures of scripts. */
function watch(page: Page, origin: string, visits: readonly string[]): Page {
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    const text = message.text();
    if (/Content Security Policy|Refused to|Minified React error|Uncaught/.test(text)) faults.push(text);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    const isVisit = visits.some((visit) => url.startsWith(visit) || page.url().startsWith(visit));
    if (!isVisit && !url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url))
      faults.push(`request to ${url}`);
  });
  return page;
}

/** Makes an API call as the administrator. */
export async function call(
  service: Pick<Service, 'http'>,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const reply = await service.http.request(method, path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
}

/** A context whose user has signed in already; each test opens pages of it. */
export async function joinAs(page: Page, link: string, email: string): Promise<void> {
  await page.goto(link);
  const address = page.getByLabel('Email');
  await address.waitFor();
  // An invitation for one person has the address already.
  if (await address.isEditable()) await address.fill(email);
  await page.getByLabel('Your name').fill('Anna Example');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'You have joined' }).waitFor();
}

/** A page of a new viewer in the account of an owner, who has signed in on another page. */
export async function openViewer(open: ConsoleTest['open'], owner: Page): Promise<Page> {
  const link = await owner.evaluate(async () => {
    const reply = await fetch('/v2/invitations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'viewer' }),
    });
    return ((await reply.json()) as { invitation: { link: string } }).invitation.link;
  });
  const page = await open();
  await joinAs(page, `/invite${new URL(link).hash}`, `viewer${++viewers}@example.net`);
  return page;
}

let viewers = 0;

/** Makes an invitation as the administrator, and accepts it. */
export async function joinInvited(service: Service, page: Page, role: object, email: string): Promise<void> {
  const reply = await service.http.request('POST', '/v2/invitations', role);
  const { link } = (reply.json as unknown as { invitation: { link: string } }).invitation;
  await joinAs(page, `${originOf(service)}/invite${new URL(link).hash}`, email);
}

/** Makes an account as the administrator, whose only owner is on the page. */
export async function openOwnAccount(
  service: Service,
  page: Page,
  name: string,
  email: string,
): Promise<void> {
  const reply = await service.http.request('POST', '/v2/accounts', { name, email, owner: email });
  expect(reply.status, reply.text).toBe(201);
  const { link } = (reply.json as unknown as { invitation: { link: string } }).invitation;
  await joinAs(page, `${originOf(service)}/invite${new URL(link).hash}`, email);
}

/** Gives the page a device that makes passkeys and agrees to everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const rulesOf = {
  // Menus float above all landmarks.
  all: "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: { region: { enabled: false } }",
  /** All that a theme changes. */
  colours: "runOnly: { type: 'rule', values: ['color-contrast'] }",
} as const;
/** Leaves out what nobody reads. Otherwise a run takes up to twice as long. */
const brief = "resultTypes: ['violations'], selectors: false, preload: false";

/** The violations of WCAG 2.2 A and AA, one line each. */
export async function findViolations(page: Page, rules: keyof typeof rulesOf): Promise<string[]> {
  if (await page.evaluate<boolean>('!window.axe')) await page.evaluate(axe);
  const result = await page.evaluate<AxeResult>(`axe.run({ ${rulesOf[rules]}, ${brief} })`);
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}

/** How far the page can be scrolled to the side. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

export type { BrowserContext, Page };
