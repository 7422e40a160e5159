// The documents under docs/operate/ must name existing metrics.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';
import { watchAccounts } from './watch-accounts.ts';
import { observeConnections, observeHttp } from './observe-http.ts';
import { observeStore, watchStoreQueue, watchStoreReads } from './observe-store.ts';
import { watchCertificate } from './watch-certificate.ts';
import { watchClaims } from './watch-claims.ts';
import { watchDns } from './watch-dns.ts';
import { watchFeed, watchNameservers } from './watch-feed.ts';
import { watchProblems } from './watch-problems.ts';
import { watchRenewal } from './watch-renewal.ts';
import { watchBootstrap } from './watch-bootstrap.ts';
import { watchNotifier } from './watch-notifier.ts';
import { watchRollovers } from './watch-rollovers.ts';
import { watchSigningSlices } from './watch-signing-slices.ts';
import { watchWorkers } from './watch-workers.ts';
import { observeZoneLoads, watchZones } from './watch-zones.ts';

interface Registered {
  readonly name: string;
  readonly labels: readonly string[];
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const registered = registerAll();
const dashboard = JSON.parse(readDocument('grafana-dashboard.json')) as { panels: readonly Panel[] };
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);
const guide = readDocument('metrics.md');

/** Every metric of any process, read from the registry. */
function registerAll(): readonly Registered[] {
  const { registry } = createMetrics({ version: '', role: '', engine: '' });
  const unread = (): never => expect.unreachable('nothing is scraped here');
  observeHttp(registry);
  observeConnections(registry);
  observeStore(registry);
  observeZoneLoads(registry);
  watchDns(registry, unread);
  watchAccounts(registry, unread);
  watchRenewal(registry, unread);
  watchRollovers(registry, unread);
  watchBootstrap(registry, unread);
  watchClaims(registry, unread);
  watchNotifier(registry, unread);
  watchSigningSlices(registry, unread);
  watchWorkers(registry, unread);
  watchCertificate(registry, unread);
  watchProblems(registry, { problems: unread, freeBytes: unread, clockOffsetMs: unread });
  watchFeed(registry, unread);
  watchNameservers(registry, unread);
  watchStoreReads(registry, unread);
  watchStoreQueue(registry, unread);
  watchZones(registry, unread);
  const metrics = registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames: string[];
    type: string;
  }[];
  return metrics.flatMap(({ name, labelNames }) => {
    const isHistogram = 'buckets' in (registry.getSingleMetric(name) ?? {});
    const suffixes = isHistogram ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.map((suffix) => ({
      name: name + suffix,
      labels: [...labelNames, 'instance', 'job', ...(suffix === '_bucket' ? ['le'] : [])],
    }));
  });
}

function readDocument(name: string): string {
  return readFileSync(new URL(`../../docs/operate/${name}`, import.meta.url), 'utf8');
}

function metricNames(text: string): readonly string[] {
  return text.match(/\b(?:zonewright|process|nodejs)_[a-z0-9_]+/g) ?? [];
}

/** Labels in braces, after `by` and after `on`. */
function labelNames(expression: string): readonly string[] {
  const matched = [...expression.matchAll(/[{,]\s*([a-z_]+)\s*=~?"/g)].map(([, label]) => label);
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list]) =>
    list.split(/,\s*/),
  );
  return [...matched, ...grouped].filter((label) => label !== '');
}

/** Returns metrics and labels of an expression or legend that do not exist. */
function complaints(where: string, expression: string, legend = ''): string[] {
  const names = metricNames(expression);
  const known = registered.filter(({ name }) => names.includes(name));
  const wanted = [...labelNames(expression), ...[...legend.matchAll(/{{(\w+)}}/g)].map(([, label]) => label)];
  return [
    ...names.filter((name) => !registered.some((metric) => metric.name === name)),
    ...wanted.filter((label) => !known.some(({ labels }) => labels.includes(label))),
  ].map((unknown) => `${where}: ${unknown}`);
}

test('every query of the dashboard uses existing metrics and labels', () => {
  expect(queries.length).toBeGreaterThan(40);
  expect(queries.every(({ expr }) => metricNames(expr).length > 0)).toBe(true);
  expect(queries.flatMap(({ title, expr, legendFormat }) => complaints(title, expr, legendFormat))).toEqual(
    [],
  );
});

test('every own metric is on the dashboard and in the guide', () => {
  const shown = new Set(queries.flatMap(({ expr }) => metricNames(expr)).map(withoutSuffix));
  const described = new Set(metricNames(guide).map(withoutSuffix));
  const own = registered
    .map(({ name }) => withoutSuffix(name))
    .filter((name) => name.startsWith('zonewright_'));
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
  expect(own.filter((name) => !described.has(name))).toEqual([]);
});

test('the guide and its alerts name only existing metrics', () => {
  const names = new Set(registered.flatMap(({ name }) => [name, withoutSuffix(name)]));
  expect(metricNames(guide).filter((name) => !names.has(name))).toEqual([]);
  const alerts = [...guide.matchAll(/expr: (?:>\n)?([\s\S]*?)\n {8}(?:for|annotations):/g)].map(
    ([, expr]) => expr,
  );
  expect(alerts).toHaveLength(16);
  expect(alerts.flatMap((expr) => complaints('alert', expr))).toEqual([]);
});

test('no two panels of the dashboard overlap', () => {
  const { panels } = dashboard as unknown as {
    panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
  };
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

function withoutSuffix(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, '');
}
