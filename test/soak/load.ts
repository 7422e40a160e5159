// A steady load that keeps the amount of data level: created records are deleted again. Every answer is checked.

import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpReply } from '../harness/http-client.ts';
import type { Installation } from './installations.ts';

export interface LoadResult {
  readonly writes: number;
  readonly domains: number;
  readonly queries: number;
  readonly scrapes: number;
  /** The first problems, as sentences. */
  readonly problems: readonly string[];
}

const WRITERS = 4;
const QUERIERS = 8;
/** Records per writer; the oldest is deleted for each new one. */
const KEPT_RECORDS = 50;
const WRITE_PAUSE_MS = 20;
const DOMAIN_PAUSE_MS = 200;
const RECORDS_OF_A_DOMAIN = 5;
const QUERY_PAUSE_MS = 5;
/** In addition to the scrape for each sample. */
const SCRAPE_PAUSE_MS = 250;
const DOMAIN = 'soak.example';
const MOST_PROBLEMS = 20;

type Counts = Record<'writes' | 'domains' | 'queries' | 'scrapes', number>;

interface Load extends Installation {
  readonly end: AbortSignal;
  readonly counts: Counts;
  readonly problems: string[];
}

export async function runLoad(installation: Installation, end: AbortSignal): Promise<LoadResult> {
  const counts: Counts = { writes: 0, domains: 0, queries: 0, scrapes: 0 };
  const load: Load = { ...installation, end, counts, problems: [] };
  await mustBe(load, 201, installation.http.post('/v2/domains', { domain: DOMAIN, ip: '192.0.2.1' }));
  while ((await installation.dns.look(DOMAIN, 'A')) === 'REFUSED') await sleep(10);
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, writer) => keepWriting(load, writer)),
    ...Array.from({ length: QUERIERS }, (_, querier) => keepAsking(load, querier)),
    keepCreatingDomains(load),
    keepScraping(load),
  ]);
  return { ...counts, problems: load.problems };
}

async function keepWriting(load: Load, writer: number): Promise<void> {
  const { http, end, counts } = load;
  const path = `/v2/domains/${DOMAIN}/records`;
  const ids: string[] = [];
  for (let i = 0; !end.aborted; i++) {
    const text = `"${'x'.repeat(i % 100)} ${writer} ${i}"`;
    const sent = { type: 'TXT', name: `w${writer}-${i % KEPT_RECORDS}`, data: text, ttl: 60 };
    const { json } = await mustBe(load, 201, http.post(path, sent));
    const id = json.record?.id ?? '';
    await mustBe(load, 204, http.patch(`${path}/${id}`, { ttl: 120 }));
    ids.push(id);
    if (ids.length > KEPT_RECORDS) await mustBe(load, 204, http.delete(`${path}/${ids.shift() ?? ''}`));
    counts.writes += 3;
    await sleep(WRITE_PAUSE_MS);
  }
}

async function keepCreatingDomains(load: Load): Promise<void> {
  const { http, dns, end, counts, servesOwnWrites } = load;
  for (let i = 0; !end.aborted; i++) {
    const domain = `d${i}.soak-domains.example`;
    await mustBe(load, 201, http.post('/v2/domains', { domain, ip: '192.0.2.2' }));
    for (let j = 0; j < RECORDS_OF_A_DOMAIN; j++) {
      const record = { type: 'A', name: `n${j}`, data: '192.0.2.3', ttl: 60 };
      await mustBe(load, 201, http.post(`/v2/domains/${domain}/records`, record));
    }
    const seen = await dns.look(domain, 'A');
    if (servesOwnWrites && seen.toString() !== '192.0.2.2')
      report(load, `${domain} is created, and DNS answers ${seen.toString()}`);
    await mustBe(load, 204, http.delete(`/v2/domains/${domain}`));
    counts.domains++;
    await sleep(DOMAIN_PAUSE_MS);
  }
}

async function keepAsking(load: Load, querier: number): Promise<void> {
  const { dns, end, counts } = load;
  for (let i = querier; !end.aborted; i++) {
    const name = `w${i % WRITERS}-${i % KEPT_RECORDS}.${DOMAIN}`;
    const seen = await dns.look(i % 10 === 0 ? DOMAIN : name, i % 10 === 0 ? 'A' : 'TXT', {
      tcp: i % 50 === 1,
    });
    const isRight = Array.isArray(seen) || (i % 10 !== 0 && (seen === 'NXDOMAIN' || seen === 'NODATA'));
    if (!isRight) report(load, `${name} was answered ${seen.toString()}`);
    counts.queries++;
    await sleep(QUERY_PAUSE_MS);
  }
}

async function keepScraping(load: Load): Promise<void> {
  while (!load.end.aborted) {
    for (const { http } of load.processes) {
      await mustBe(load, 200, http.get('/metrics'));
      load.counts.scrapes++;
    }
    await sleep(SCRAPE_PAUSE_MS);
  }
}

async function mustBe(load: Load, status: number, sent: Promise<HttpReply>): Promise<HttpReply> {
  const reply = await sent;
  if (reply.status !== status) report(load, `${status} was expected, not ${reply.status} ${reply.text}`);
  return reply;
}

function report({ name, problems }: Load, problem: string): void {
  if (problems.length < MOST_PROBLEMS) problems.push(`${name}: ${problem}`);
}
