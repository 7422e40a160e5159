import { expect, test } from 'vitest';
import type { MessageRecord } from '../../dns/message.ts';
import { parseDomainName } from '../../dns/name.ts';
import { parseRdata } from '../../dns/rdata/rdata.ts';
import { parseRecordType } from '../../dns/rdata/record-type-registry.ts';
import { compareRrsets } from './compare-rrsets.ts';

const same = { here: [], there: [] };

/** `300 A 192.0.2.1`. */
function record(text: string): MessageRecord {
  const [ttl, mnemonic, ...data] = text.split(' ');
  const type = parseRecordType(mnemonic)!;
  const rdata = parseRdata(type, data.join(' '));
  const owner = parseDomainName('www.example.com');
  if (!rdata.ok || !owner.ok) throw new Error(text);
  return { owner: owner.value, type, class: 1, ttl: Number(ttl), rdata: rdata.value, start: 0 };
}

test.each([
  ['order', ['1 A 192.0.2.1', '1 A 192.0.2.2'], ['1 A 192.0.2.2', '1 A 192.0.2.1']],
  ['the case of names in data', ['1 MX 5 Mail.Example.com.'], ['1 MX 5 mail.example.com.']],
  ['TTLs', ['1 A 192.0.2.1'], ['2 A 192.0.2.1']],
  ['nothing on both sides', [], []],
])('%s makes no difference', (_, here, there) => {
  expect(compareRrsets(here.map(record), there.map(record), false)).toEqual(same);
});

test.each([
  [['1 A 192.0.2.1'], [], { here: ['192.0.2.1'], there: [] }],
  [
    ['1 A 192.0.2.1', '1 A 192.0.2.2'],
    ['1 A 192.0.2.2', '1 A 192.0.2.3'],
    { here: ['192.0.2.1'], there: ['192.0.2.3'] },
  ],
  [['1 TXT "ab" "c"'], ['1 TXT "abc"'], { here: ['"ab" "c"'], there: ['"abc"'] }],
  [['1 SPF ""'], ['1 SPF "" ""'], { here: ['""'], there: ['"" ""'] }],
  [['1 TXT "A"'], ['1 TXT "a"'], { here: ['"A"'], there: ['"a"'] }],
])('%j and %j differ', (here, there, difference) => {
  expect(compareRrsets(here.map(record), there.map(record), false)).toEqual(difference);
});

test('TTLs are compared on request; the lowest of a set counts', () => {
  const here = ['60 A 192.0.2.1', '300 A 192.0.2.2'].map(record);
  const there = ['300 A 192.0.2.1', '300 A 192.0.2.2'].map(record);
  expect(compareRrsets(here, there, true)).toEqual({ here: ['TTL 60'], there: ['TTL 300'] });
  expect(compareRrsets(here, here, true)).toEqual(same);
});
