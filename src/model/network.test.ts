import { expect, test } from 'vitest';
import { coversNetwork, formatNetwork, includesAddress, parseNetwork } from './network.ts';

function networkOf(text: string) {
  const network = parseNetwork(text);
  if (!network.ok) throw new Error(network.problem);
  return network.value;
}

test.each([
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  [' 10.0.0.0/8 ', '10.0.0.0/8'],
])('%s is shown as %s', (text, shown) => {
  expect(formatNetwork(networkOf(text))).toBe(shown);
});

test.each([
  ['192.0.2.1/24', '192.0.2.0/24 has none'],
  ['192.0.2.0/33', 'must be 0 to 32'],
  ['192.0.2.0/', 'must be 0 to 32'],
  ['192.0.2.0/-1', 'must be 0 to 32'],
  ['192.0.2.0/24/1', 'is not an address'],
  ['192.0.2', 'is not an address'],
  ['fe80::1%eth0', 'is not an address'],
  ['', 'is not an address'],
])('%s is refused: %s', (text, problem) => {
  const network = parseNetwork(text);
  expect(network.ok ? '' : network.problem).toContain(problem);
});

test.each([
  ['192.0.2.128/25', '192.0.2.128', true],
  ['192.0.2.128/25', '192.0.2.127', false],
  ['192.0.2.0/24', '::ffff:192.0.2.9', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/33', '2001:db8:7fff::1', true],
  ['2001:db8::/33', '2001:db8:8000::1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::/0', '192.0.2.1', false],
  ['192.0.2.0/24', 'unknown', false],
])('%s includes %s: %s', (network, address, expected) => {
  expect(includesAddress(networkOf(network), address)).toBe(expected);
});

test.each([
  ['192.0.2.0/24', '192.0.2.64/26', true],
  ['192.0.2.64/26', '192.0.2.0/24', false],
  ['192.0.2.0/24', '192.0.3.0/26', false],
  ['192.0.2.0/24', '2001:db8::/32', false],
])('%s covers %s: %s', (outer, inner, expected) => {
  expect(coversNetwork(networkOf(outer), networkOf(inner))).toBe(expected);
});
