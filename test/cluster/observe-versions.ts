import type { Packet } from 'dns-packet';
import type { Seen } from '../harness/dns-client.ts';
import { pause } from '../kill/victim.ts';
import { askNode, type Node } from './cluster.ts';
import type { Version, VersionedDomain } from './versioned-domain.ts';

/*
 * Queries one nameserver for a versioned domain all the time and checks the answers: each must be of one version, and
 * never of an older one than the answer before, even after the process was killed. Only after its zone copy was damaged, it
 * may refuse to answer, and start again from any version.
 */

/** The content of one answer, in the order of the answers. */
export type Observation = Content & {
  /** How often the copy had been damaged. */
  readonly damages: number;
};

type Content =
  | { readonly kind: 'refused' }
  | { readonly kind: 'alias'; readonly hop: number; readonly serial: number }
  | { readonly kind: 'window'; readonly numbers: readonly number[] }
  | { readonly kind: 'odd'; readonly text: string };

const INTERVAL_MS = 5;

export async function observeVersions(
  nameserver: Node,
  domain: VersionedDomain,
  stopped: () => boolean,
): Promise<Observation[]> {
  const observations: Observation[] = [];
  const observe = async (ask: () => Promise<Content>): Promise<void> => {
    const before = nameserver.damages();
    const content = await ask();
    // If the copy was damaged meanwhile, the answer may come from before or after.
    if (nameserver.damages() === before) observations.push({ ...content, damages: before });
  };
  while (!stopped()) {
    await observe(async () =>
      readAlias(
        (await askNode(nameserver, (dns, options) => dns.ask(`alias.${domain.name}`, 'A', options))).packet,
      ),
    );
    await observe(async () =>
      readWindow(
        await askNode(nameserver, (dns, options) => dns.look(`window.${domain.name}`, 'TXT', options)),
      ),
    );
    await pause(INTERVAL_MS);
  }
  return observations;
}

function readWindow(seen: Seen): Content {
  if (seen === 'SERVFAIL' || seen === 'REFUSED') return { kind: 'refused' };
  if (typeof seen === 'string') return { kind: 'odd', text: `window ${seen}` };
  return { kind: 'window', numbers: seen.map(Number).sort((a, b) => a - b) };
}

function readAlias({ rcode, answers, authorities }: Packet): Content {
  const hop = /^hop-(\d+)\./.exec(String(answers[0]?.data))?.[1];
  const { serial } = (authorities.find(({ type }) => type === 'SOA')?.data ?? {}) as { serial?: number };
  if (rcode === 'NXDOMAIN' && answers.length === 1 && hop !== undefined && serial !== undefined)
    return { kind: 'alias', hop: Number(hop), serial };
  if (rcode === 'SERVFAIL' || rcode === 'REFUSED') return { kind: 'refused' };
  return { kind: 'odd', text: `alias ${rcode} ${JSON.stringify([answers, authorities])}` };
}

/** Returns sentences about answers of no version, or of an older version than the answer before. */
export function checkObservations(domain: VersionedDomain, observations: readonly Observation[]): string[] {
  const { versions } = domain;
  const base = versions[0].serial;
  const faults: string[] = [];
  // The oldest version that the answers so far allow.
  let oldest = 0;
  let damages = 0;
  for (const observation of observations) {
    if (observation.damages !== damages) oldest = 0;
    damages = observation.damages;
    if (observation.kind === 'refused' && damages > 0) continue;
    const found =
      observation.kind === 'alias'
        ? findVersion(versions, (observation.serial - base) | 0, observation)
        : observation.kind === 'window'
          ? versions.findIndex((version, at) => at >= oldest && hasWindow(version, observation.numbers))
          : -1;
    if (found >= oldest) oldest = found;
    else
      faults.push(
        `${domain.name}: ${JSON.stringify(observation)} is of no version from ${JSON.stringify(versions[oldest])} on`,
      );
  }
  return faults;
}

/** Finds the version with that serial, if the rest of the answer matches. */
function findVersion(versions: readonly Version[], at: number, { hop }: { readonly hop: number }): number {
  return versions[at]?.hop === hop ? at : -1;
}

function hasWindow({ first, last }: Version, numbers: readonly number[]): boolean {
  return numbers.length === last - first + 1 && numbers.every((number, i) => number === first + i);
}
