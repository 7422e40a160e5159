import { pause } from '../kill/victim.ts';
import { askNode, readFrom, type Node } from './cluster.ts';

/*
 * Compares what `GET …/propagation` claims with the nameservers: a serial that it names is being served, however
 * often the nameserver is killed, and no serial ever decreases. After a zone copy was damaged, this holds for what is
 * claimed and served from the next start on.
 */

/** Two seconds are promised and a tenth of a second is usual; the rest is for a loaded machine. */
const CURRENT_WITHIN_MS = 30_000;
const INTERVAL_MS = 10;

interface Propagation {
  readonly serial: number;
  readonly current: boolean;
  readonly nameservers: readonly {
    readonly name: string;
    readonly serial: number | null;
    readonly live: boolean;
    readonly current: boolean;
    readonly date_seen: string;
  }[];
}

/** Compares claims with answers all the time; resolves with the number of comparisons. */
export async function watchClaims(
  api: Node,
  nameservers: readonly Node[],
  domains: readonly string[],
  faults: string[],
  stopped: () => boolean,
): Promise<number> {
  const newest = new Map<string, number>();
  let compared = 0;
  const rise = (key: string, serial: number, what: string): void => {
    const before = newest.get(key);
    if (before !== undefined && ((serial - before) | 0) < 0)
      faults.push(`${what} ${serial}, after ${before} was seen`);
    else newest.set(key, serial);
  };
  for (let turn = 0; !stopped(); turn++) {
    const domain = domains[turn % domains.length] ?? '';
    const before = nameservers.map((node) => ({ node, isUp: node.isUp(), damages: node.damages() }));
    const claimed = await readPropagation(api, domain);
    rise(`${domain} at all`, claimed.serial, `${api.name}: the serial of ${domain} is`);
    for (const { node, isUp, damages } of before) {
      const claim = claimed.nameservers.find(({ name }) => name === node.name);
      const key = `${domain} at ${node.name}, damaged ${damages} times`;
      // While the database was away, nobody could say that a damaged nameserver had started.
      const counts = damages === 0 || (isUp && Date.parse(claim?.date_seen ?? '') >= node.startedAtMs());
      if (counts && claim?.serial !== undefined && claim.serial !== null)
        newest.set(key, later(newest.get(key) ?? claim.serial, claim.serial));
      // Claims about a killed nameserver are compared when it is back.
      if (!node.isUp()) continue;
      const served = await askNode(node, (dns, options) => dns.ask(domain, 'SOA', options));
      if (node.damages() !== damages) continue;
      const soa = served.packet.answers[0]?.data as { serial: number } | undefined;
      if (soa !== undefined) rise(key, soa.serial, `${node.name}: ${domain} is served with serial`);
      else if (damages === 0) faults.push(`${node.name}: ${domain} is answered with ${served.packet.rcode}`);
      compared++;
    }
    await pause(INTERVAL_MS);
  }
  return compared;
}

/** Waits until every nameserver serves the newest serial of every domain; returns milliseconds. */
export async function expectAllCurrent(
  api: Node,
  nameservers: readonly Node[],
  domains: readonly string[],
): Promise<number> {
  const startMs = Date.now();
  const behind = async (): Promise<string | undefined> => {
    for (const domain of domains) {
      const { serial } = await readPropagation(api, domain);
      for (const nameserver of nameservers) {
        const served = await askNode(nameserver, (dns, options) => dns.ask(domain, 'SOA', options));
        const soa = served.packet.answers[0]?.data as { serial: number } | undefined;
        if (soa?.serial !== serial)
          return `${nameserver.name} serves ${domain} with ${String(soa?.serial)} instead of ${serial}`;
      }
    }
    return undefined;
  };
  for (;;) {
    const who = await behind();
    const tookMs = Date.now() - startMs;
    if (who === undefined) return tookMs;
    if (tookMs > CURRENT_WITHIN_MS) throw new Error(`after ${tookMs} ms ${who}`);
    await pause(INTERVAL_MS);
  }
}

/** Expects that the API reports all nameservers as current within its own wait, and agrees with their SOA records. */
export async function checkClaims(
  api: Node,
  nameservers: readonly Node[],
  domains: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const domain of domains) {
    const claimed = await readPropagation(api, domain, '?wait=10');
    const live = claimed.nameservers.filter((each) => each.live);
    const right =
      claimed.current &&
      live.length === nameservers.length &&
      live.every(({ serial, current }) => current && serial === claimed.serial);
    if (!right) faults.push(`${api.name}: ${JSON.stringify(claimed)} though all nameservers are current`);
    for (const nameserver of nameservers) {
      const served = await askNode(nameserver, (dns, options) => dns.serial(domain, options));
      if (served !== claimed.serial)
        faults.push(`${nameserver.name} serves ${domain} with ${served}, not ${claimed.serial}`);
    }
  }
  return faults;
}

async function readPropagation(api: Node, domain: string, query = ''): Promise<Propagation> {
  const { status, text } = await readFrom(api, `/v2/domains/${domain}/propagation${query}`);
  if (status !== 200) throw new Error(`the propagation of ${domain} was answered ${status} ${text}`);
  return (JSON.parse(text) as { propagation: Propagation }).propagation;
}

function later(a: number, b: number): number {
  return ((a - b) | 0) > 0 ? a : b;
}
