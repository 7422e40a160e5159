/**
 * What the nameserver's threads have done, counted where the main thread can read it: a region of shared memory a
 * worker, which that worker alone writes. So counting is one addition, without atomics, messages or garbage, and a
 * worker's successor goes on from where it fell.
 *
 *   region:  answers by transport and response code │ queries by transport and type │ events, one by one
 *
 * Counts are doubles, whole up to 2^53: 32 bits would run over within hours.
 */

import { rcode, rrType } from '../../dns/codes.ts';

/** What happens to a query besides its answer. */
export const queryEvent = {
  /** No answer is due: too short for a header, or itself an answer. */
  malformed: 0,
  /** Over the rate, and not answered. */
  rateLimited: 1,
  /** Over the rate, and answered with no more than a hint to come over TCP or with a cookie. */
  slipped: 2,
  /** The answer did not fit, for other reasons than the rate. */
  truncated: 3,
  /** Its zone was in memory. */
  zoneHit: 4,
  /** Its zone had to be loaded first. */
  zoneWait: 5,
} as const;
export type QueryEvent = (typeof queryEvent)[keyof typeof queryEvent];

export const transports = ['udp', 'tcp'] as const;
export type Transport = (typeof transports)[number];

/** Extended codes that are sent go up to BADCOOKIE, 23. */
const CODES = 32;
/** All types that have a name, but for two of the past, are below; the last place is for what is above. */
const TYPES = 512;
/** No type is 0: it stands for questions that could not be read. */
const UNREADABLE_TYPE = 0;
const TYPES_AT = transports.length * CODES;
const EVENTS_AT = TYPES_AT + transports.length * TYPES;
/** A whole number of pairs of cache lines: no two workers write into the same. */
const REGION_COUNTS = EVENTS_AT + 16;

/** Memory for the counts of so many workers. */
export function createQueryCounts(workers: number): SharedArrayBuffer {
  return new SharedArrayBuffer(workers * REGION_COUNTS * Float64Array.BYTES_PER_ELEMENT);
}

/** The region of one worker, for its own use. */
export class QueryCounters {
  private readonly counts: Float64Array;

  constructor(memory: SharedArrayBuffer, worker: number) {
    this.counts = regionOf(memory, worker);
  }

  /** @param type 0 where the question could not be read */
  countQuery(type: number, overTcp: boolean): void {
    const at = overTcp ? TYPES_AT + TYPES : TYPES_AT;
    this.counts[at + (type < TYPES ? type : TYPES - 1)]++;
  }

  countAnswer(code: number, overTcp: boolean): void {
    this.counts[(overTcp ? CODES : 0) + (code & (CODES - 1))]++;
  }

  countEvent(event: QueryEvent): void {
    this.counts[EVENTS_AT + event]++;
  }
}

/** What all workers have counted since the start. */
export interface QueryCounts {
  /** Those that came at all; types without a name of their own together as `other`. */
  readonly queries: readonly {
    readonly type: string;
    readonly transport: Transport;
    readonly count: number;
  }[];
  readonly answers: readonly {
    readonly code: string;
    readonly transport: Transport;
    readonly count: number;
  }[];
  readonly events: Readonly<Record<keyof typeof queryEvent, number>>;
  /** Queries of each worker, in the order of their numbers. */
  readonly byWorker: readonly number[];
}

/** Reads while workers count on: each figure is one that was true a moment ago. */
export function readQueryCounts(memory: SharedArrayBuffer): QueryCounts {
  const workers = memory.byteLength / Float64Array.BYTES_PER_ELEMENT / REGION_COUNTS;
  const regions = Array.from({ length: workers }, (_, worker) => regionOf(memory, worker));
  const sum = (at: number): number => regions.reduce((total, region) => total + region[at], 0);
  return {
    queries: transports.flatMap((transport, index) =>
      countTypes((type) => sum(TYPES_AT + index * TYPES + type)).map((row) => ({ ...row, transport })),
    ),
    answers: transports.flatMap((transport, index) =>
      countCodes((code) => sum(index * CODES + code)).map((row) => ({ ...row, transport })),
    ),
    events: mapEvents((event) => sum(EVENTS_AT + event)),
    byWorker: regions.map((region) => region.subarray(TYPES_AT, EVENTS_AT).reduce((a, b) => a + b, 0)),
  };
}

function regionOf(memory: SharedArrayBuffer, worker: number): Float64Array {
  return new Float64Array(memory, worker * REGION_COUNTS * Float64Array.BYTES_PER_ELEMENT, REGION_COUNTS);
}

const typeNames = new Map<number, string>(Object.entries(rrType).map(([name, type]) => [type, name]));

function countTypes(countOf: (type: number) => number): { type: string; count: number }[] {
  const rows: { type: string; count: number }[] = [];
  let other = 0;
  for (let type = UNREADABLE_TYPE; type < TYPES; type++) {
    const count = countOf(type);
    const name = typeNames.get(type);
    if (name === undefined) other += count;
    else if (count > 0) rows.push({ type: name, count });
  }
  return other > 0 ? [...rows, { type: 'other', count: other }] : rows;
}

/** The codes that we give by now; told of also where there was no such answer yet. */
const codeNames = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'BADVERS',
  'BADCOOKIE',
] as const;

function countCodes(countOf: (code: number) => number): { code: string; count: number }[] {
  const rows = codeNames.map((name) => ({ code: name, count: countOf(rcode[name]) }));
  const all = Array.from({ length: CODES }, (_, code) => countOf(code)).reduce((a, b) => a + b, 0);
  const other = all - rows.reduce((total, { count }) => total + count, 0);
  return other > 0 ? [...rows, { code: 'other', count: other }] : rows;
}

function mapEvents(countOf: (event: QueryEvent) => number): QueryCounts['events'] {
  return {
    malformed: countOf(queryEvent.malformed),
    rateLimited: countOf(queryEvent.rateLimited),
    slipped: countOf(queryEvent.slipped),
    truncated: countOf(queryEvent.truncated),
    zoneHit: countOf(queryEvent.zoneHit),
    zoneWait: countOf(queryEvent.zoneWait),
  };
}
