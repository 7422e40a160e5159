import { expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { observeConnections, observeHttp } from './observe-http.ts';
import { observeStore, watchStoreQueue, watchStoreReads } from './observe-store.ts';
import { readExposition } from '../../test/harness/exposition.ts';
import { watchDns, type DnsFigures } from './watch-dns.ts';
import { watchFeed, watchNameservers, type FeedFigures } from './watch-feed.ts';
import { observeZoneLoads, watchZones } from './watch-zones.ts';

/** A copy with a damaged zone that is checked after a crash. */
const unchecked = { damagedZones: 1, isProven: false };

const noEvents = { malformed: 0, rateLimited: 0, slipped: 0, truncated: 0, zoneHit: 0, zoneWait: 0 };

function create(): Metrics {
  return createMetrics({ version: '1.2.3', role: 'both', engine: 'sqlite' });
}

/** The samples of the service's own metrics in order of their names, without buckets. */
async function samplesOf(metrics: Metrics): Promise<string[]> {
  const samples = readExposition(await metrics.render()).flatMap((family) => family.samples);
  return samples
    .filter(({ name }) => name.startsWith('zonewright_') && !name.endsWith('_bucket'))
    .filter(({ name }) => name !== 'zonewright_build_info')
    .map(({ text }) => text.replace('zonewright_', ''))
    .sort();
}

const rows: [string, (metrics: Metrics) => void, string[]][] = [
  [
    'queries and answers as the nameserver counts them',
    ({ registry }) =>
      watchDns(registry, () => ({
        queries: [
          { type: 'A', transport: 'udp', count: 7 },
          { type: 'other', transport: 'tcp', count: 1 },
        ],
        answers: [{ code: 'NXDOMAIN', transport: 'udp', count: 8 }],
        events: { malformed: 1, rateLimited: 2, slipped: 3, truncated: 4, zoneHit: 5, zoneWait: 6 },
        byWorker: [3, 5],
      })),
    [
      'dns_answers_total{rcode="NXDOMAIN",transport="udp"} 8',
      'dns_dropped_total{reason="malformed"} 1',
      'dns_dropped_total{reason="rate_limited"} 2',
      'dns_queries_total{type="A",transport="udp"} 7',
      'dns_queries_total{type="other",transport="tcp"} 1',
      'dns_slipped_total 3',
      'dns_truncated_total 4',
      'dns_worker_queries_total{worker="0"} 3',
      'dns_worker_queries_total{worker="1"} 5',
      'zone_hits_total 5',
      'zone_waits_total 6',
    ],
  ],
  [
    'the zone memory',
    ({ registry }) => {
      watchZones(registry, () => ({ hosted: 9, loaded: 4, usedBytes: 100, limitBytes: 1000, evictions: 2 }));
      const loads = observeZoneLoads(registry);
      loads.zoneLoaded(250);
      loads.zoneLoaded(750);
      loads.zoneLoadFailed();
    },
    [
      'zone_evictions_total 2',
      'zone_load_duration_seconds_count 2',
      'zone_load_duration_seconds_sum 1',
      'zone_load_failures_total 1',
      'zone_memory_limit_bytes 1000',
      'zone_memory_used_bytes 100',
      'zones_hosted 9',
      'zones_loaded 4',
    ],
  ],
  [
    'the feed of a copy that was never told of its end',
    ({ registry }) =>
      watchFeed(registry, () => ({ position: 12, end: null, lagSeconds: null, phase: 'away', ...unchecked })),
    [
      'copy_damaged_zones 1',
      'copy_proven 0',
      'feed_phase{phase="away"} 1',
      'feed_phase{phase="copying"} 0',
      'feed_phase{phase="following"} 0',
      'feed_position 12',
    ],
  ],
  [
    'nameserver processes, their names escaped',
    ({ registry }) =>
      watchNameservers(registry, () =>
        Promise.resolve([{ id: 'a', name: 'n"s\\1\n', position: 5, reportAgeSeconds: 1.5 }]),
      ),
    [
      'nameserver_feed_position{id="a",nameserver="n\\"s\\\\1\\n"} 5',
      'nameserver_report_age_seconds{id="a",nameserver="n\\"s\\\\1\\n"} 1.5',
    ],
  ],
  [
    'the store',
    ({ registry }) => {
      const store = observeStore(registry);
      store.batchCommitted(3, 12);
      store.batchCommitted(1, 8);
      store.commandEnded('createRecord', 'done');
      store.commandEnded('createRecord', 'done');
      store.commandEnded('deleteDomain', 'refused');
      store.commandEnded('importZone', 'done');
      store.batchRetried();
      watchStoreQueue(registry, () => 17);
      watchStoreReads(registry, () => 3);
    },
    [
      'store_batch_commands_count 2',
      'store_batch_commands_sum 4',
      'store_commands_total{kind="createRecord",outcome="done"} 2',
      'store_commands_total{kind="declareRecords",outcome="done"} 1',
      'store_commands_total{kind="deleteDomain",outcome="refused"} 1',
      'store_commit_duration_seconds_count 2',
      'store_commit_duration_seconds_sum 0.02',
      'store_pending_reads 3',
      'store_queued_commands 17',
      'store_retries_total 1',
    ],
  ],
  [
    'requests, by labels that no client can make up',
    ({ registry }) => {
      const http = observeHttp(registry);
      for (let i = 0; i < 4; i++) http.requestBegan();
      http.requestEnded({
        route: 'listDomains',
        method: 'GET',
        status: 200,
        errorCode: null,
        durationMs: 500,
      });
      http.requestEnded({
        route: 'unknown',
        method: 'BREW',
        status: 429,
        errorCode: 'cost_exceeded',
        durationMs: 250,
      });
      http.requestEnded({
        route: 'createRecord',
        method: 'POST',
        status: null,
        errorCode: null,
        durationMs: 0,
      });
    },
    [
      'http_rate_limited_total 1',
      'http_refusals_total{code="cost_exceeded"} 1',
      'http_request_duration_seconds_count{route="createRecord"} 1',
      'http_request_duration_seconds_count{route="listDomains"} 1',
      'http_request_duration_seconds_count{route="unknown"} 1',
      'http_request_duration_seconds_sum{route="createRecord"} 0',
      'http_request_duration_seconds_sum{route="listDomains"} 0.5',
      'http_request_duration_seconds_sum{route="unknown"} 0.25',
      'http_requests_in_flight 1',
      'http_requests_total{route="createRecord",method="POST",status="none"} 1',
      'http_requests_total{route="listDomains",method="GET",status="2xx"} 1',
      'http_requests_total{route="unknown",method="other",status="4xx"} 1',
    ],
  ],
  [
    'refused connections',
    ({ registry }) => {
      const connections = observeConnections(registry);
      connections.connectionRefused('address_limit');
      connections.connectionRefused('proxy_header_missing');
      connections.connectionRefused('proxy_header_missing');
    },
    [
      'http_connections_refused_total{reason="address_limit"} 1',
      'http_connections_refused_total{reason="proxy_header_missing"} 2',
    ],
  ],
];

test.each(rows)('shows %s', async (_, setUp, expected) => {
  const metrics = create();
  setUp(metrics);
  expect(await samplesOf(metrics)).toEqual(expected);
});

test('watched values are read at each scrape', async () => {
  const metrics = create();
  let figures: DnsFigures = { queries: [], answers: [], events: noEvents, byWorker: [] };
  watchDns(metrics.registry, () => figures);
  let feed: FeedFigures = { position: 1, end: 2, lagSeconds: 0.5, phase: 'following', ...unchecked };
  watchFeed(metrics.registry, () => feed);
  await metrics.render();
  figures = { ...figures, byWorker: [9] };
  feed = { position: 3, end: null, lagSeconds: null, phase: 'copying', ...unchecked };
  const samples = await samplesOf(metrics);
  expect(samples).toContain('dns_worker_queries_total{worker="0"} 9');
  expect(samples.filter((sample) => sample.startsWith('feed_'))).toEqual([
    'feed_phase{phase="away"} 0',
    'feed_phase{phase="copying"} 1',
    'feed_phase{phase="following"} 0',
    'feed_position 3',
  ]);
});

test('build information and process metrics are exported', async () => {
  const families = readExposition(await create().render());
  const names = families.map(({ name }) => name);
  expect(families.find(({ name }) => name === 'zonewright_build_info')?.samples).toEqual([
    {
      name: 'zonewright_build_info',
      labels: { version: '1.2.3', role: 'both', engine: 'sqlite' },
      value: 1,
      text: 'zonewright_build_info{version="1.2.3",role="both",engine="sqlite"} 1',
    },
  ]);
  expect(names).toEqual(
    expect.arrayContaining([
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_open_fds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_gc_duration_seconds',
    ]),
  );
});
