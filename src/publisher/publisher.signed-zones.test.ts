import { afterEach, expect, test } from 'vitest';
import type { Log } from '../base/log.ts';
import { silentLog } from '../base/log.ts';
import { rrType } from '../dns/codes.ts';
import { generatedType } from '../model/generated-row.ts';
import { startPublisher, type Publisher, type PublisherLimits } from './publisher.ts';
import {
  addressRow,
  hashRow,
  rowsOf,
  rowSource,
  signatureOf,
  signaturesRow,
  soa,
  soaRow,
  zone,
  type Rows,
  type RowSource,
} from './signed-rows.test-support.ts';
import { zoneContent } from './zone-content.test-support.ts';

const { A, NSEC, SOA } = rrType;
const publishers: Publisher[] = [];

afterEach(() => {
  for (const publisher of publishers.splice(0)) publisher.close();
});

function publish(source: RowSource, log: Log = silentLog, loading: Partial<PublisherLimits> = {}): Publisher {
  const publisher = startPublisher({ source, memoryBytes: 2 ** 20, soa, readers: 1, seed: 5, log, loading });
  publishers.push(publisher);
  return publisher;
}

function loaded(source: RowSource, log?: Log): Publisher {
  const publisher = publish(source, log);
  expect(publisher.loadZone(zone)).toBe(undefined);
  return publisher;
}

/** The zone as a publisher serves it that has loaded these rows and nothing else. */
function contentOf(rows: Rows, serial: number): ReturnType<typeof zoneContent> {
  return zoneContent(loaded(rowSource(rows, serial)).memory, zone);
}

function base64(type: number, serial: number): string {
  return Buffer.from(signatureOf(type, serial).signature).toString('base64');
}

async function formerZonesAreGone(publisher: Publisher): Promise<void> {
  if (publisher.formerZones().length > 0)
    await new Promise<void>((resolve) => publisher.onFormerChange(() => resolve()));
  expect(publisher.formerZones()).toEqual([]);
}

test.each(['nsec', 'nsec3'] as const)('a zone signed with %s is served with all its signatures', (denial) => {
  const content = contentOf(rowsOf(denial, 7), 7);
  if (typeof content === 'string') throw new Error(content);
  expect(content.filter((line) => line.endsWith(` 6/4711/${base64(SOA, 7)}`))).toHaveLength(1);
  expect(content.filter((line) => line.includes(`1/4711/${base64(A, 7)}`))).toHaveLength(2);
  expect(content.filter((line) => line.includes(' before '))).toHaveLength(denial === 'nsec' ? 3 : 4);
  // The nameservers of the settings are not added.
  expect(content.filter((line) => line.includes(' 2 1 '))).toHaveLength(1);
});

test.each(['nsec', 'nsec3'] as const)(
  'changes of a zone signed with %s lead to what a load would',
  (denial) => {
    const source = rowSource(rowsOf(denial, 1));
    const publisher = loaded(source);
    const rows = rowsOf(denial, 2);
    const first: Rows = {
      ...rows,
      'new.b': [
        addressRow(9),
        ...(denial === 'nsec3' ? [hashRow('new.b', 2)] : []),
        signaturesRow([A, NSEC], 2),
      ],
    };
    source.change(first, 2);
    expect(zoneContent(publisher.memory, zone)).toEqual(contentOf(first, 2));
    // The empty non-terminal goes with the name below it.
    const left = Object.entries(rows).filter(([owner]) => owner !== 'a.b' && owner !== 'b');
    const second: Rows = { ...Object.fromEntries(left), '.': [soaRow(3)] };
    source.change(second, 3);
    expect(zoneContent(publisher.memory, zone)).toEqual(contentOf(second, 3));
  },
);

test.each([
  [undefined, 'nsec'],
  ['nsec', undefined],
  ['nsec', 'nsec3'],
  ['nsec3', 'nsec'],
] as const)(
  'a zone that turns from %s to %s is served as it was until it is loaded again',
  async (from, to) => {
    const source = rowSource(rowsOf(from, 1));
    const publisher = loaded(source);
    const former = zoneContent(publisher.memory, zone);
    source.change(rowsOf(to, 2), 2);
    expect(zoneContent(publisher.memory, zone)).toEqual(former);
    expect(publisher.formerZones()).toEqual([{ name: zone, serial: 1 }]);
    await formerZonesAreGone(publisher);
    expect(zoneContent(publisher.memory, zone)).toEqual(contentOf(rowsOf(to, 2), 2));
  },
);

test.each([
  [undefined, 'nsec3'],
  ['nsec3', undefined],
  ['nsec', 'nsec'],
] as const)(
  'a zone that turns from %s to %s while it loads is shown as it is in the end',
  async (from, to) => {
    const source = rowSource(rowsOf(from, 1));
    const publisher = publish(source, silentLog, { sliceMs: 0, slicedFromRecords: 0 });
    const load = publisher.loadZone(zone);
    source.change(rowsOf(to, 2), 2);
    await load;
    expect(zoneContent(publisher.memory, zone)).toEqual(contentOf(rowsOf(to, 2), 2));
  },
);

test('damaged generated rows are ignored and logged once, and the zone is served', () => {
  const errors: unknown[] = [];
  const log: Log = { ...silentLog, error: (fields) => errors.push(fields) };
  const damaged = { type: generatedType.signatures, ttl: 0, rdata: Uint8Array.of(1, 2, 3) };
  const rows: Rows = {
    ...rowsOf('nsec', 1),
    '.': [{ type: generatedType.signedSoa, ttl: 60, rdata: Uint8Array.of(0, 2, 1, 1) }],
    www: [addressRow(1), damaged],
  };
  const source = rowSource(rows);
  const publisher = loaded(source, log);
  source.change({ ...rows, www: [addressRow(2), { ...damaged, rdata: Uint8Array.of() }] }, 2);
  expect(errors).toEqual([expect.objectContaining({ zone })]);
  const content = zoneContent(publisher.memory, zone);
  if (typeof content === 'string') throw new Error(content);
  const www = content.find((line) => line.startsWith('\u0003www'));
  expect(www).toContain('1 1 ');
  expect(www).not.toContain('4711');
  expect(content.find((line) => line.startsWith('\u0001a'))).toContain(' before \u0007example');
});

test('a zone whose apex has a damaged row is served unsigned', () => {
  const rows: Rows = { ...rowsOf('nsec', 1), '': [{ ...signaturesRow([], 1), rdata: Uint8Array.of(9) }] };
  const content = contentOf(rows, 1);
  expect(JSON.stringify(content)).not.toContain('4711');
  expect(content).toHaveLength(contentOf(rowsOf(undefined, 1), 1).length);
});
