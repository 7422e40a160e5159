import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDomainName, isSubdomain, parseDomainName, type DomainName } from '../name.ts';
import { parseRdata } from '../rdata/rdata.ts';
import { recordTypes } from '../rdata/record-type-registry.ts';
import { formatZoneFile } from './format-zone-file.ts';
import { isProblem, linesOf, readZoneFile } from './read-zone-file.ts';

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function write(
  origin: string,
  records: Parameters<typeof formatZoneFile>[2],
  remarks: string[] = [],
): string {
  return [...formatZoneFile(name(origin), remarks, records)].join('');
}

test('owners are relative to the origin; everything else is explicit', () => {
  const rdata = new Uint8Array([192, 0, 2, 1]);
  const records = ['example.com', 'a.example.com', 'a\\.b.example.com'].map((owner) => ({
    owner: name(owner),
    ttl: 300,
    type: 1,
    rdata,
  }));
  expect(write('example.com', records, ['made by hand\n$ORIGIN evil.'])).toBe(
    '; made by hand?$ORIGIN evil.\n' +
      '$ORIGIN example.com.\n' +
      '@                        300     IN A     192.0.2.1\n' +
      'a                        300     IN A     192.0.2.1\n' +
      'a\\.b                     300     IN A     192.0.2.1\n',
  );
});

const label = fc.uint8Array({ minLength: 1, maxLength: 8 });
const anyOwner = fc.array(label, { maxLength: 3 }).map((labels) => {
  const wire = labels.flatMap((octets) => [octets.length, ...octets]);
  return new Uint8Array([...wire, ...name('example.com')]) as DomainName;
});
const samples = recordTypes.map(({ number, example }) => {
  const rdata = parseRdata(number, example, name('example.com'));
  if (!rdata.ok) throw new Error(rdata.problem);
  return { type: number, rdata: rdata.value };
});
const unknown = fc.uint8Array({ maxLength: 40 }).map((rdata) => ({ type: 65_280, rdata }));
const anyText = fc.uint8Array({ maxLength: 300 }).map((octets) => {
  const strings: number[] = [];
  for (let at = 0; at === 0 || at < octets.length; at += 255) {
    const part = octets.subarray(at, at + 255);
    strings.push(part.length, ...part);
  }
  return { type: 16, rdata: new Uint8Array(strings) };
});

test('a written zone file is read back unchanged: any octets in names and text, every type', () => {
  const record = fc.record({
    owner: anyOwner,
    ttl: fc.integer({ min: 0, max: 0x7fffffff }),
    content: fc.oneof(fc.constantFrom(...samples), unknown, anyText),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (some) => {
      const records = some.map(({ owner, ttl, content }) => ({ owner, ttl, ...content }));
      const read = [...readZoneFile(linesOf(write('example.com', records)), name('invalid'))];
      expect(read.filter(isProblem)).toEqual([]);
      const plain = (item: { owner: DomainName; ttl: number | null; type: number; rdata: Uint8Array }) =>
        `${formatDomainName(item.owner)} ${item.ttl} ${item.type} ${item.rdata.join()}`;
      expect(read.flatMap((item) => (isProblem(item) ? [] : [plain(item)]))).toEqual(records.map(plain));
      expect(records.every(({ owner }) => isSubdomain(owner, name('example.com')))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
