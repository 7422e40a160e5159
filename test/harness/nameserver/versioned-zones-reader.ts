/**
 * A thread that queries `versioned-zones.ts` continuously while another thread changes them, and checks that every
 * answer comes from one version, is complete, and is not older than the previous answer. Stops when `control[0]` is set
 * and posts its observations.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { createAnswerer } from '../../../src/nameserver/query/query-pipeline.ts';
import { NEEDS_ZONE } from '../../../src/nameserver/query/answerer.ts';
import { seededRandom } from '../random.ts';
import { asked, name } from './versioned-zones.ts';

export interface ReaderData {
  readonly memory: SharedArrayBuffer;
  readonly reader: number;
  readonly control: SharedArrayBuffer;
  readonly zones: number;
}

export interface ReaderReport {
  readonly answers: number;
  /** Number of version changes observed, over all zones. */
  readonly changes: number;
  readonly problems: readonly string[];
}

const HEADER_BYTES = 12;
const ROOM_BYTES = 4096;
/** The sockets answer at most this many queries per run, often only one. */
const MOST_ANSWERS_A_RUN = 64;
const MOST_PROBLEMS = 5;
const NXDOMAIN = 3;
const REFUSED = 5;

const { memory, reader, control, zones } = workerData as ReaderData;
const stop = new Int32Array(control);
const answerer = createAnswerer({ memory, reader });
const random = seededRandom(reader);
const buffer = Buffer.alloc(ROOM_BYTES);
const packets = Array.from({ length: zones }, (_, zone) =>
  asked.map(({ owner, type }) => {
    const question = name(`${owner}.zone-${zone}.example`);
    const header = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    return Uint8Array.from([...header, ...question, type >> 8, type & 255, 0, 1]);
  }),
);
const newest = new Int32Array(zones);
const problems: string[] = [];
let answers = 0;
let changes = 0;

parentPort?.postMessage('reading');
while (Atomics.load(stop, 0) === 0 && problems.length < MOST_PROBLEMS) {
  answerer.enter(0);
  for (let i = random.below(MOST_ANSWERS_A_RUN); i >= 0; i--)
    ask(random.below(zones), random.below(asked.length));
  answerer.leave();
}
parentPort?.postMessage({ answers, changes, problems } satisfies ReaderReport);

function ask(zone: number, question: number): void {
  const packet = packets[zone][question];
  buffer.set(packet);
  const length = answerer.answer(buffer, 0, packet.length, ROOM_BYTES, false);
  const code = buffer[3] & 15;
  if (length === NEEDS_ZONE || code === REFUSED) return;
  const problem = check(zone, question, length, code);
  if (problem !== undefined) problems.push(`${asked[question].owner} of zone ${zone}: ${problem}`);
}

function check(zone: number, question: number, length: number, code: number): string | undefined {
  const ttls = readTtls(packets[zone][question].length, length);
  if (ttls === undefined) return `${length} octets that are no message: ${buffer.toString('hex', 0, length)}`;
  const [version] = ttls;
  if (ttls.some((ttl) => ttl !== version)) return `versions ${ttls.join(', ')} in one answer`;
  const { records } = asked[question];
  const expected = asked[question].shows(version) ? { code: 0, records } : { code: NXDOMAIN, records: 1 };
  if (code !== expected.code || ttls.length !== expected.records)
    return `code ${code} with ${ttls.length} records in version ${version}`;
  if (version < newest[zone]) return `version ${version} after ${newest[zone]}`;
  if (version > newest[zone]) changes++;
  newest[zone] = version;
  answers++;
  return undefined;
}

/** TTLs of all records; undefined if the records do not end with the message. */
function readTtls(start: number, end: number): number[] | undefined {
  const count = buffer.readUInt16BE(6) + buffer.readUInt16BE(8) + buffer.readUInt16BE(10);
  const ttls: number[] = [];
  let at = start;
  for (let i = 0; i < count && at < end; i++) {
    while (buffer[at] > 0 && buffer[at] < 0xc0) at += buffer[at] + 1;
    at += buffer[at] === 0 ? 1 : 2;
    ttls.push(buffer.readUInt32BE(at + 4));
    at += 10 + buffer.readUInt16BE(at + 8);
  }
  return at === end && ttls.length === count && start > HEADER_BYTES ? ttls : undefined;
}
