/**
 * Counters of the nameserver's threads, readable by the main thread: one region of shared memory per worker, written by
 * that worker alone. Counting is one addition without atomics, messages or garbage, and a worker's replacement
 * continues with the counts of its predecessor.
 *
 *   region:  answers by transport and response code │ queries by transport and type │ events, one by one
 *
 * Counts are doubles, exact up to 2^53: 32 bits would overflow within hours.
 */

import { rcode, rrType } from '../../dns/codes.ts';

/** Events of a query besides its answer. */
export const queryEvent = {
  /** No answer is due: the packet is shorter than a header, or is itself an answer. */
  malformed: 0,
  /** Over the rate limit and not answered. */
  rateLimited: 1,
  /** Over the rate limit and answered only with a hint to retry over TCP or with a cookie. */
  slipped: 2,
  /** The answer did not fit; truncation by rate limiting is not included. */
  truncated: 3,
  /** Its zone was in memory. */
  zoneHit: 4,
  /** Its zone had to be loaded first. */
  zoneWait: 5,
} as const;
export type QueryEvent = (typeof queryEvent)[keyof typeof queryEvent];

export const transports = ['udp', 'tcp'] as const;
export type Transport = (typeof transports)[number];

/** The highest response code we send is BADCOOKIE, 23. */
const CODES = 32;
/** All named types except two historical ones are below this limit; the last place counts all higher types. */
const TYPES = 512;
/** Type 0 does not exist and counts unreadable questions. */
const UNREADABLE_TYPE = 0;
const TYPES_AT = transports.length * CODES;
const EVENTS_AT = TYPES_AT + transports.length * TYPES;
/** A multiple of two cache lines, so that no two workers write to the same line. */
const REGION_COUNTS = EVENTS_AT + 16;

export function createQueryCounts(workers: number): SharedArrayBuffer {
  return new SharedArrayBuffer(workers * REGION_COUNTS * Float64Array.BYTES_PER_ELEMENT);
}

/** The region of one worker, used by that worker. */
export class QueryCounters {
  private readonly counts: Float64Array;

  constructor(memory: SharedArrayBuffer, worker: number) {
    this.counts = regionOf(memory, worker);
  }

  /** @param type 0 if the question could not be read */
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

/** Totals of all workers since the start. */
export interface QueryCounts {
  /** Only types that were queried; types without a name are combined as `other`. */
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
  /** Queries of each worker, by worker number. */
  readonly byWorker: readonly number[];
}

/** Reads while workers keep counting: each figure was correct a moment ago. */
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

/** The codes that we currently send; these are reported even if their count is 0. */
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
