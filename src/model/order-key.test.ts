import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDomainNames, isSubdomain, parseDomainName, type DomainName } from '../dns/name.ts';
import { formatLabelKey, formatOrderKey, keysBelow, topLabelOf } from './order-key.ts';

const APEX_LABELS = 2;

/** Octets at the borders of the ranges that are written differently, and letters in both cases. */
const octet = fc.oneof(
  fc.constantFrom(
    0x00,
    0x20,
    0x21,
    0x22,
    0x23,
    0x29,
    0x2a,
    0x2e,
    0x40,
    0x41,
    0x5a,
    0x5b,
    0x61,
    0x7a,
    0x7b,
    0xff,
  ),
  fc.integer({ min: 0, max: 255 }),
);
const label = fc.array(octet, { minLength: 1, maxLength: 6 });
const name = fc.array(label, { maxLength: 4 }).map(wireName);

/** A name below a two-label apex. */
function wireName(labels: readonly (readonly number[])[]): DomainName {
  const apex = [7, ...Buffer.from('example'), 3, ...Buffer.from('com'), 0];
  return Uint8Array.from([...labels.flatMap((octets) => [octets.length, ...octets]), ...apex]) as DomainName;
}

/** As the databases compare: SQLite by octets, PostgreSQL with the collation "C". */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

test.each([
  ['example.com.', ''],
  ['WWW.example.com.', '!www'],
  ['b.a.example.com.', '!a!b'],
  ['*.example.com.', '!*'],
  ['a\\(\\.b.example.com.', '!a#28.b'],
  ['\\255\\{z.example.com.', '!{ff{7bz'],
])('formatOrderKey(%s) is %j', (text, key) => {
  const parsed = parseDomainName(text);
  expect(parsed.ok && formatOrderKey(parsed.value, APEX_LABELS)).toBe(key);
});

test('the order of keys is the canonical order of names', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      const order = compareTexts(formatOrderKey(a, APEX_LABELS), formatOrderKey(b, APEX_LABELS));
      expect(Math.sign(order)).toBe(Math.sign(compareDomainNames(a, b)));
    }),
    { numRuns: 5000 },
  );
});

test('keys are printable ASCII, and compare as JavaScript compares texts', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      const [x, y] = [formatOrderKey(a, APEX_LABELS), formatOrderKey(b, APEX_LABELS)];
      expect(x).toMatch(/^[!-{]*$/);
      expect(x < y).toBe(compareTexts(x, y) < 0);
    }),
  );
});

test('keysBelow() spans the names below a name and no others', () => {
  const related = fc.tuple(fc.array(label, { maxLength: 3 }), fc.array(label, { maxLength: 3 }));
  fc.assert(
    fc.property(related, fc.boolean(), ([upper, more], below) => {
      const ancestor = wireName(upper);
      const other = wireName(below ? [...more, ...upper] : more);
      const key = formatOrderKey(other, APEX_LABELS);
      const { from, to } = keysBelow(formatOrderKey(ancestor, APEX_LABELS));
      const inside = isSubdomain(other, ancestor) && other.length > ancestor.length;
      expect(key >= from && key < to).toBe(inside);
    }),
    { numRuns: 5000 },
  );
});

test('the label directly below the apex can be written and read by itself', () => {
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const key = formatOrderKey(wireName(labels), APEX_LABELS);
      const octets = topLabelOf(key);
      expect(octets).toBe(
        Buffer.from(labels.at(-1) ?? [])
          .toString('latin1')
          .replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      );
      if (labels.length === 1) expect(formatLabelKey(octets)).toBe(key);
      else expect(key.startsWith(`${formatLabelKey(octets)}!`)).toBe(true);
    }),
  );
});
