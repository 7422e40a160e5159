import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDomainName, lowerDomainName, type DomainName } from '../../dns/name.ts';
import { generatedType } from '../../model/generated-row.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { OwnerIds, type OwnerName } from './owner-ids.ts';
import { isSingleLabel, namesAfter, type NameSources } from './names-after.ts';
import { compareIds } from './sorted-ids.ts';
import { generatedRow } from './zone-rows.ts';

const ids = new OwnerIds('zone.example' as ZoneName);

/** Few octets, so that labels have common beginnings, and some that are escaped or at the borders of what is not. */
const octet = fc.constantFrom(
  0x00,
  0x20,
  0x21,
  0x2d,
  0x2e,
  0x2e,
  0x30,
  0x41,
  0x5c,
  0x61,
  0x62,
  0x7e,
  0x7f,
  0xff,
);
const label = fc.array(octet, { minLength: 1, maxLength: 3 });
const owner = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => {
  const wire = Uint8Array.from([...labels.flatMap((octets) => [octets.length, ...octets]), 0]) as DomainName;
  return formatDomainName(lowerDomainName(wire)).slice(0, -1) as OwnerKey;
});

/** The sources of a zone whose other owners have places. */
function sourcesOf(owners: readonly OwnerKey[]): NameSources {
  const inOrder = owners.toSorted((a, b) => (a < b ? -1 : 1));
  const places = owners
    .filter((each) => !isSingleLabel(each))
    .map((each) => generatedRow(ids.idOf(each), each, generatedType.unfinished, new Uint8Array()))
    .sort((a, b) => compareIds(a.id, b.id));
  return {
    places: (cursor, limit) => places.filter(({ id }) => id > cursor).slice(0, limit + 1),
    ownersAfter: (place, limit) =>
      inOrder
        .filter((each) => each > place)
        .slice(0, limit)
        .map((each) => ({ owner: each, isBare: isSingleLabel(each) })),
  };
}

function walk(owners: readonly OwnerKey[], limit: number): OwnerName[] {
  const names: OwnerName[] = [];
  const sources = sourcesOf(owners);
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const found = namesAfter(sources, cursor, limit);
    expect(found.names.length).toBeLessThanOrEqual(limit);
    expect(found.upTo === undefined || found.upTo > cursor).toBe(true);
    names.push(...found.names);
    cursor = found.upTo;
  }
  return names;
}

test('all names are found once, in canonical order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(owner, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (owners, limit) => {
      const expected = owners.map((each) => ({ owner: each, id: ids.idOf(each) }));
      expect(walk(owners, limit)).toEqual(expected.sort((a, b) => compareIds(a.id, b.id)));
    }),
  );
});

test('owners of several labels without end are passed over', () => {
  const below = Array.from({ length: 500 }, (_, i) => `n${i}.a` as OwnerKey);
  const owners = ['a', ...below, 'z'] as OwnerKey[];
  expect(walk(owners, 2)).toHaveLength(owners.length);
});
