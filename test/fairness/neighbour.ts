// Another customer, "bob": steady reads, writes and DNS queries of his own, each timed, each answer checked.
import type { DnsClient } from '../harness/dns-client.ts';
import type { HttpClient, HttpReply } from '../harness/http-client.ts';
import { percentile } from '../../bench/percentile.ts';

const DOMAIN = 'bob.example';
const RECORDS = 100;
const READS_A_SECOND = 10;
const WRITES_A_SECOND = 5;
const QUERIES_A_SECOND = 50;
/** His resolver's patience: three attempts in all. */
const QUERY_ATTEMPTS = 3;
const MOST_FAULTS = 5;

export interface Experience {
  /** Milliseconds. */
  readonly reads: number[];
  readonly writes: number[];
  queries: number;
  unanswered: number;
  /** Sentences about lost, failed and wrong answers; the first of them. */
  readonly faults: string[];
}

export async function prepareNeighbour(http: HttpClient): Promise<void> {
  await http.post('/v2/domains', { domain: DOMAIN, ip: '192.0.2.7' });
  const create = Array.from({ length: RECORDS }, (_, i) => ({
    type: 'A',
    name: `h${i}`,
    data: '192.0.2.7',
    ttl: 60,
  }));
  const { status, text } = await http.post(`/v2/domains/${DOMAIN}/batch`, { create });
  if (status !== 200) throw new Error(`the neighbour's domain was answered ${status} ${text}`);
}

/** Uses the service until the signal is aborted. */
export async function useService(http: HttpClient, dns: DnsClient, end: AbortSignal): Promise<Experience> {
  const experience: Experience = { reads: [], writes: [], queries: 0, unanswered: 0, faults: [] };
  const fault = (sentence: string): void => {
    if (experience.faults.length < MOST_FAULTS) experience.faults.push(sentence);
  };
  const timed = async (
    into: number[],
    wanted: number,
    what: string,
    send: () => Promise<HttpReply>,
  ): Promise<HttpReply | undefined> => {
    const startMs = performance.now();
    try {
      const reply = await send();
      into.push(performance.now() - startMs);
      if (reply.status !== wanted) fault(`${what} was answered ${reply.status} ${reply.text.slice(0, 200)}`);
      return reply;
    } catch (error) {
      into.push(performance.now() - startMs);
      fault(`${what}: ${String(error)}`);
      return undefined;
    }
  };
  const reading = paced(end, READS_A_SECOND, async (round) => {
    const path = reads[round % reads.length];
    await timed(experience.reads, 200, `GET ${path}`, () => http.get(path));
  });
  const writing = paced(end, WRITES_A_SECOND, async (round) => {
    const record = { type: 'A', name: `w${round}`, data: '192.0.2.8', ttl: 60 };
    const path = `/v2/domains/${DOMAIN}/records`;
    const created = await timed(experience.writes, 201, 'a creation', () => http.post(path, record));
    const id = created?.json.record?.id;
    if (id === undefined) return;
    const seen = await dns.look(`w${round}.${DOMAIN}`, 'A').catch(String);
    if (seen.toString() !== '192.0.2.8') fault(`a record was created, and DNS answered ${seen.toString()}`);
    await timed(experience.writes, 204, 'a deletion', () => http.delete(`${path}/${id}`));
  });
  const asking = paced(end, QUERIES_A_SECOND, async (round) => {
    experience.queries++;
    try {
      const seen = await dns.look(`h${round % RECORDS}.${DOMAIN}`, 'A', { attempts: QUERY_ATTEMPTS });
      if (seen.toString() !== '192.0.2.7') fault(`DNS answered ${seen.toString()}`);
    } catch {
      experience.unanswered++;
    }
  });
  await Promise.all([reading, writing, asking]);
  return experience;
}

const reads = [
  '/v2/domains',
  `/v2/domains/${DOMAIN}`,
  `/v2/domains/${DOMAIN}/records`,
  `/v2/domains/${DOMAIN}/records?type=A&name=h7`,
  `/v2/domains/${DOMAIN}/changes?per_page=3`,
  `/v2/domains/${DOMAIN}/zonefile`,
  `/v2/domains/${DOMAIN}/check`,
];

/** Starts a request at a steady rate, whether or not the earlier ones are answered. */
async function paced(
  end: AbortSignal,
  aSecond: number,
  request: (round: number) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let round = 0; !end.aborted; round++) {
    const one = request(round).finally(() => running.delete(one));
    running.add(one);
    await new Promise((resolve) => setTimeout(resolve, 1000 / aSecond));
  }
  await Promise.all(running);
}

/** The most that a neighbour of an attacker may have to bear. Times in milliseconds. */
export const limits = {
  reads: { p50: 50, p99: 500 },
  writes: { p50: 100, p99: 1500 },
  unansweredShare: 0.001,
} as const;

/** Returns one sentence for each limit that was exceeded. */
export function findFaults({ reads: read, writes, queries, unanswered, faults }: Experience): string[] {
  const found = [...faults];
  for (const [name, times, limit] of [
    ['reads', read, limits.reads],
    ['writes', writes, limits.writes],
  ] as const) {
    for (const [key, percent] of [
      ['p50', 50],
      ['p99', 99],
    ] as const) {
      const ms = percentile(
        times.toSorted((a, b) => a - b),
        percent,
      );
      if (ms > limit[key]) found.push(`${name} ${key} ${ms.toFixed(0)} ms is over ${limit[key]} ms`);
    }
  }
  if (unanswered > queries * limits.unansweredShare)
    found.push(`${unanswered} of ${queries} DNS queries were not answered`);
  return found;
}
