import { expect, test } from 'vitest';
import type { ZoneName } from './domain.ts';
import { domainOfSignal, nameserverOf, parseSignalName, signallingDomainOf } from './signal-name.ts';

const signalling = signallingDomainOf('NS1.Example.net.');

test('a signalling domain is named after a nameserver', () => {
  expect(signalling).toBe('_signal.ns1.example.net');
  expect(nameserverOf(signalling)).toBe('ns1.example.net');
  expect(nameserverOf('ns1.example.net' as ZoneName)).toBeUndefined();
});

test('the signals about a domain stand at its name below the label _dsboot', () => {
  const about = 'example.co.uk' as ZoneName;
  const signal = parseSignalName(about, signalling);
  expect(signal).toEqual({ name: '_dsboot.example.co.uk', owner: '_dsboot.example.co.uk' });
  expect(domainOfSignal('_DSBOOT.Example.co.uk')).toBe(about);
  for (const other of ['example.co.uk', '_dsbootx.example.co.uk', '_dsboot', '']) {
    expect(domainOfSignal(other)).toBeUndefined();
  }
});

// "_dsboot" takes 8 octets, "_signal.ns1.example.net" 25 with the root label.
const LONGEST_OCTETS = 255 - 8 - 25;

test.each<[length: number, isPossible: boolean]>([
  [LONGEST_OCTETS, true],
  [LONGEST_OCTETS + 1, false],
])('a domain whose name takes %i octets in the signalling name is possible: %s', (octets, isPossible) => {
  const labels = ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63)];
  const first = 'd'.repeat(octets - 3 * 64 - 1);
  const about = [first, ...labels].join('.') as ZoneName;
  expect(parseSignalName(about, signalling) !== undefined).toBe(isPossible);
});

test.each(['example.net', 'ns1.example.net', '_signal.ns1.example.net', 'x._signal.ns1.example.net', 'net'])(
  'nobody vouches for %s, which contains the signalling domain or is inside it',
  (about) => expect(parseSignalName(about as ZoneName, signalling)).toBeUndefined(),
);
