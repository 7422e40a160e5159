// Serves groups of zones from all servers and from ours, prints one line per zone, shows the differences and counts
// them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge } from './judge.ts';
import type { Query } from './message.ts';
import { startPeer, zoneFileName, type Peer, type PeerKind } from './peer.ts';
import { judgeProtocolCase, protocolCases, PROTOCOL_ZONE, summarize } from './protocol-cases.ts';
import { print, showAnswer, showQuery } from './show.ts';
import { formatZone, type TestZone } from './test-zone.ts';

/** Concurrent questions per server: fewer than its socket buffer holds. */
const WINDOW = 40;
/** Number of differences of one kind that are shown in full. */
const SHOWN_OF_A_KIND = 1;

export interface TestCase {
  readonly title: string;
  readonly zone: TestZone;
  readonly queries: readonly Query[];
}

/** Our side of the comparison, in process or as a service. */
export interface OwnSide extends Peer {
  /** The zones as we serve them, which the other servers get too. */
  readonly zones: readonly TestZone[];
}

export class Comparison {
  private readonly kinds: readonly PeerKind[];
  private readonly showAll: boolean;
  private readonly startedMs = performance.now();
  private cases = 0;
  private questions = 0;
  private failed = 0;
  /** Count of each known difference, and of each kind of unknown difference. */
  private readonly known = new Map<string, number>();
  private readonly unknown = new Map<string, number>();

  constructor(kinds: readonly PeerKind[], showAll: boolean) {
    this.kinds = kinds;
    this.showAll = showAll;
  }

  /** Starts one set of servers for all zones of the group, and ends them afterwards. */
  async runGroup(
    cases: readonly TestCase[],
    startOwn: (folder: string, zones: readonly TestZone[]) => Promise<OwnSide>,
  ): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-nameservers-'));
    const running: Peer[] = [];
    try {
      const own = await startOwn(
        join(folder, 'zonewright'),
        cases.map(({ zone }) => zone),
      );
      running.push(own);
      const starts = await Promise.allSettled(this.kinds.map((kind) => startIn(folder, kind, own.zones)));
      const peers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
      running.push(...peers);
      for (const start of starts) if (start.status === 'rejected') throw start.reason;
      for (const [i, testCase] of cases.entries())
        await this.runCase({ ...testCase, zone: own.zones[i] }, peers, own);
      const hasProtocolZone = own.zones.some(
        ({ apex, denial }) => apex === PROTOCOL_ZONE && denial === undefined,
      );
      if (hasProtocolZone) await this.runProtocolCases(peers, own);
    } finally {
      await Promise.all(running.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Prints the totals; returns the exit code. */
  finish(): number {
    for (const [title, times] of [...this.known].sort()) print(`known, ${times} times: ${title}`);
    for (const [kind, times] of [...this.unknown].sort((a, b) => b[1] - a[1]))
      print(`FAILED, ${times} times: ${kind}`);
    const seconds = ((performance.now() - this.startedMs) / 1000).toFixed(0);
    print(`${this.cases} zones, ${this.questions} questions, ${this.failed} differences in ${seconds} s`);
    return this.failed === 0 ? 0 : 1;
  }

  private async runCase(testCase: TestCase, all: readonly Peer[], own: OwnSide): Promise<void> {
    const { title, zone, queries } = testCase;
    const peers = all.filter(({ name }) => !zone.without.includes(name));
    let failures = 0;
    for (let i = 0; i < queries.length; i += WINDOW) {
      const window = queries.slice(i, i + WINDOW);
      const verdicts = await Promise.all(window.map((query) => this.compare(testCase, query, peers, own)));
      failures += verdicts.filter((isSame) => !isSame).length;
    }
    this.report(`${title} ${own.name}`, queries.length, failures);
  }

  private async compare(
    { title, zone }: TestCase,
    query: Query,
    peers: readonly Peer[],
    own: OwnSide,
  ): Promise<boolean> {
    const replies = await Promise.all(peers.map(async (peer) => [peer.name, await peer.ask(query)] as const));
    const ours = await own.ask(query);
    const whole = await own.ask({ ...query, tcp: true });
    const { problems, met } = judge(query, zone, own.zones, { peers: new Map(replies), own: ours, whole });
    for (const difference of met) count(this.known, difference);
    if (problems.length === 0) return true;
    const kind = problems.map((problem) => problem.replace(/: \S+ [A-Z]+ \d+ .*/, '')).join('; ');
    if (count(this.unknown, kind) > SHOWN_OF_A_KIND && !this.showAll) return false;
    print(`\n${title}: ${showQuery(query)}\n${problems.map((problem) => `  ! ${problem}`).join('\n')}`);
    print(`;; ZONE\n${formatZone(zone)}`);
    for (const [name, bytes] of [...replies, [own.name, ours] as const])
      print(`${name}\n${showAnswer(bytes).replace(/^/gm, '    ')}`);
    return false;
  }

  /** Asks the malformed and unusual messages all at once, because some get no answer. */
  private async runProtocolCases(peers: readonly Peer[], own: OwnSide): Promise<void> {
    const verdicts = await Promise.all(
      protocolCases.map(async ({ title, packet, tcp = false }) => {
        const theirs = (await Promise.all(peers.map((peer) => peer.askRaw(packet, tcp)))).map(summarize);
        const ours = summarize(await own.askRaw(packet, tcp));
        const problem = judgeProtocolCase(title, ours, theirs);
        if (problem === undefined) return true;
        print(`\n${title}: ${problem}\n  packet      ${packet.toString('hex')}`);
        peers.forEach(({ name }, i) => print(`  ${name.padEnd(10)}  ${theirs[i]}`));
        print(`  ${own.name.padEnd(10)}  ${ours}`);
        return false;
      }),
    );
    this.report('unusual messages', verdicts.length, verdicts.filter((isSame) => !isSame).length);
  }

  private report(title: string, questions: number, failures: number): void {
    this.cases++;
    this.questions += questions;
    this.failed += failures;
    const differences = failures === 0 ? '' : `, ${failures} differences`;
    print(`${failures === 0 ? 'ok    ' : 'FAILED'}  ${title}: ${questions} questions${differences}`);
  }
}

function startIn(parent: string, kind: PeerKind, zones: readonly TestZone[]): Promise<Peer> {
  const folder = join(parent, kind.name);
  mkdirSync(folder);
  for (const zone of zones) writeFileSync(join(folder, zoneFileName(zone)), formatZone(zone));
  return startPeer(kind, folder, zones);
}

function count(times: Map<string, number>, key: string): number {
  const now = (times.get(key) ?? 0) + 1;
  times.set(key, now);
  return now;
}
