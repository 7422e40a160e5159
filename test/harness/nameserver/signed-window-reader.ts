/**
 * A thread that walks the chain of `signed-window.ts` continuously while another thread changes the zone, and checks that
 * each walk sees exactly one version. Stops when `control[0]` is set and posts its observations.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { NO_IMAGE } from '../../../src/zone/image-offsets.ts';
import { NameScan } from '../../../src/zone/name-scan.ts';
import { rrsetFirstData } from '../../../src/zone/record-set-block.ts';
import { findSoaSignature, signatureInception } from '../../../src/zone/signed-view.ts';
import { apex, signature, walkChain } from '../../../src/zone/signed-zone.test-support.ts';
import { findZone, NOT_LOADED } from '../../../src/zone/zone-directory.ts';
import { enterSpace, leaveSpace, openZoneSpace } from '../../../src/zone/zone-space.ts';
import { ZoneView } from '../../../src/zone/zone-view.ts';
import { WINDOW_NAMES } from './signed-window.ts';

export interface WindowReaderData {
  readonly memory: SharedArrayBuffer;
  readonly reader: number;
  readonly control: SharedArrayBuffer;
}

export interface WindowReaderReport {
  readonly walks: number;
  /** Number of version changes observed. */
  readonly changes: number;
  readonly problems: readonly string[];
}

const MOST_PROBLEMS = 5;
const { memory, reader, control } = workerData as WindowReaderData;
const stop = new Int32Array(control);
const space = openZoneSpace(memory);
const view = new ZoneView(space);
const scan = new NameScan(space.seed);
const found = { image: NO_IMAGE, apexLabel: 0 };
const problems: string[] = [];
let walks = 0;
let changes = 0;
let newest = 0;

parentPort?.postMessage('reading');
while (Atomics.load(stop, 0) === 0 && problems.length < MOST_PROBLEMS) {
  enterSpace(space.words, reader);
  scan.scan(apex, 0, apex.length);
  findZone(space, scan, 0, found);
  if (found.image !== 0 && found.image !== NOT_LOADED) {
    view.open(found.image);
    const problem = checkWalk();
    if (problem !== undefined) problems.push(problem);
  }
  leaveSpace(space.words, reader);
}
parentPort?.postMessage({ walks, changes, problems } satisfies WindowReaderReport);

function checkWalk(): string | undefined {
  const version = Buffer.from(view.bytes.buffer).readUInt32BE(rrsetFirstData(view.soaSet()) + 2);
  const seen = walkChain(view, space.seed)
    .filter((owner) => owner.startsWith('n', 1))
    .map((owner) => Number(/\d+/.exec(owner)?.[0]))
    .sort((one, other) => one - other);
  const isWindow = seen.length === WINDOW_NAMES && seen.every((number, i) => number === version + i);
  if (!isWindow) return `version ${version}: ${seen.length} names from ${seen.at(0)} to ${seen.at(-1)}`;
  const inception = signatureInception(view, findSoaSignature(view));
  if (inception !== signature(6, version).inception) return `version ${version} with another SOA signature`;
  if (version < newest) return `version ${version} after ${newest}`;
  if (version > newest) changes++;
  newest = version;
  walks++;
  return undefined;
}
