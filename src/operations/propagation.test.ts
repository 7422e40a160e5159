import { expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import type { ServedSerial } from '../store/store.ts';
import { describePropagation } from './propagation.ts';

const domain = 'example.com' as ZoneName;

function serving(nameserver: string, serial: number | null, isLive = true): ServedSerial {
  return { id: `id of ${nameserver}`, nameserver, serial, takenAtMs: null, seenAtMs: 0, isLive };
}

test.each<[string, number, ServedSerial[], boolean, boolean[]]>([
  ['nobody serves', 7, [], false, []],
  ['one serves the serial', 7, [serving('ns1', 7)], true, [true]],
  ['one serves a later serial', 7, [serving('ns1', 9)], true, [true]],
  ['one is a step behind', 7, [serving('ns1', 6)], false, [false]],
  ['one has nothing of the domain', 7, [serving('ns1', null)], false, [false]],
  ['one of two is behind', 7, [serving('ns1', 7), serving('ns2', 6)], false, [true, false]],
  [
    'a nameserver that is behind is not live',
    7,
    [serving('ns1', 7), serving('ns2', 6, false)],
    true,
    [true, false],
  ],
  [
    'the domain is withheld, and one does not know it yet',
    7,
    [{ ...serving('ns1', null), isWithheld: true }, serving('ns2', 7), serving('ns3', null)],
    false,
    [true, true, false],
  ],
  [
    'the domain is withheld, and all know it',
    8,
    [{ ...serving('ns1', null), isWithheld: true }, serving('ns2', 7, false)],
    true,
    [true, false],
  ],
  ['no nameserver is live', 7, [serving('ns1', 7, false)], false, [true]],
  ['the requested serial is past 2^32', 2, [serving('ns1', 4_294_967_295)], false, [false]],
  ['the served serial is past 2^32', 4_294_967_295, [serving('ns1', 2)], true, [true]],
])('%s: serial %i', (_when, serial, served, isCurrent, each) => {
  const propagation = describePropagation(domain, serial, served);
  expect(propagation).toMatchObject({ domain, serial, isCurrent });
  expect(propagation.nameservers.map((nameserver) => nameserver.isCurrent)).toEqual(each);
});

test('nameservers are sorted by name, then id', () => {
  const served = [serving('ns2', 1), { ...serving('ns1', 1), id: 'b' }, { ...serving('ns1', 1), id: 'a' }];
  const { nameservers } = describePropagation(domain, 1, served);
  expect(nameservers.map(({ nameserver, id }) => `${nameserver} ${id}`)).toEqual([
    'ns1 a',
    'ns1 b',
    'ns2 id of ns2',
  ]);
});
