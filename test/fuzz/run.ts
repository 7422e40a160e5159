// Sends packets that no well-behaved client sends, from the corpus and mutated, to the query pipeline and to a complete
// nameserver.
//
//   npm run fuzz                              a million in process, a hundred thousand over UDP and TCP; half a minute
//   npm run fuzz -- --packets 50000 --over-sockets 0 --seed 7
//
// Exits 1 at the first packet that is answered incorrectly, and stores it in test/fuzz/corpus.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startNameserver } from '../../src/nameserver/threads/nameserver.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { recordingLog } from '../harness/nameserver/start-nameserver.ts';
import { loadZones } from '../comparison/own-answers.ts';
import { readZoneFile } from '../comparison/test-zone.ts';
import { keepPacket, readCorpus } from './corpus.ts';
import { createCheckedAnswer, fuzzInProcess, type Finding } from './in-process.ts';
import { loadZonesSigned, withDnssecOk } from './signed-zones.ts';
import { fuzzTcp, fuzzUdp } from './over-sockets.ts';

const WORKERS = 2;
/** Growth allowed for caches and compiled code. */
const MOST_GROWTH_BYTES = 16 * 2 ** 20;

const { values } = parseArgs({
  options: {
    packets: { type: 'string', default: '1000000' },
    'over-sockets': { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(chooseSeed()) },
  },
});
const random = seededRandom(Number(values.seed));
const corpus = readCorpus().map(({ packet }) => packet);
const zones = loadZones(cornerZones(), WORKERS);
const inProcess = Number(values.packets);
const overSockets = Number(values['over-sockets']);
console.log(`seed ${values.seed}, ${corpus.length} kept packets`);
const finding =
  (await measured('in process', inProcess, fuzzAnswerPath)) ??
  (await measured('signed zones', inProcess, fuzzSignedAnswers)) ??
  (await fuzzNameserver());
if (finding !== undefined) {
  console.log(`${finding.problem}\nkept as ${keepPacket(finding.packet, finding.problem)}`);
  process.exitCode = 1;
}

function fuzzAnswerPath(): Promise<Finding | undefined> {
  const answer = createCheckedAnswer(zones);
  return Promise.resolve(fuzzInProcess(answer, corpus, random, inProcess));
}

function fuzzSignedAnswers(): Promise<Finding | undefined> {
  const answer = createCheckedAnswer(loadZonesSigned(cornerZones(), 1));
  return Promise.resolve(fuzzInProcess(answer, corpus.map(withDnssecOk), random, inProcess));
}

async function fuzzNameserver(): Promise<Finding | undefined> {
  const { log, lines } = recordingLog();
  const addresses = [{ host: '127.0.0.1', port: 0 }];
  const answering = { cookieSecret: new Uint8Array(16), identifier: 'fuzz', responsesPerSecond: 200 };
  const loadZone = (): undefined => undefined;
  const options = {
    addresses,
    workers: WORKERS,
    udp: 'auto',
    memory: zones,
    loadZone,
    answering,
    onUnrecoverable: (reason: string) => void lines.push(`failed: ${reason}`),
    log,
  } as const;
  const nameserver = await startNameserver(options);
  const [to] = nameserver.addresses;
  const udp = { to, corpus, random, packets: Math.ceil(overSockets / 2) };
  const found =
    (await measured('over UDP', udp.packets, () => fuzzUdp(udp))) ??
    (await measured('over TCP', udp.packets, () => fuzzTcp(udp)));
  await nameserver.stop();
  const faults = lines.filter((line) =>
    /exception|crashed|hung|failed|terminating|internal error/.test(line),
  );
  return (
    found ?? (faults.length === 0 ? undefined : { packet: new Uint8Array(0), problem: faults.join('\n') })
  );
}

/** Also reports memory that is not released. */
async function measured(
  what: string,
  packets: number,
  run: () => Promise<Finding | undefined>,
): Promise<Finding | undefined> {
  const startMs = performance.now();
  const before = usedBytes();
  const found = await run();
  const grownBytes = usedBytes() - before;
  const seconds = (performance.now() - startMs) / 1000;
  console.log(
    `${packets} packets ${what} in ${seconds.toFixed(1)} s, memory ${(grownBytes / 2 ** 20).toFixed(1)} MiB more`,
  );
  if (found !== undefined || grownBytes <= MOST_GROWTH_BYTES) return found;
  return { packet: new Uint8Array(0), problem: `${grownBytes} bytes of memory more ${what}` };
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function cornerZones(): ReturnType<typeof readZoneFile>[] {
  const folder = join(import.meta.dirname, '../comparison/zones/corners');
  return readdirSync(folder).map((file) => readZoneFile(join(folder, file)));
}
