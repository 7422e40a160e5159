import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishSteps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import { parseRecord } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { checkZone } from './check-zone.ts';
import { findOwnFaults, ownFaults } from './own-faults.ts';

const zone = 'example.com' as ZoneName;

function record(name: string, type: string, data: string, ttl: number): DomainRecord | undefined {
  const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
  const parsed = parseRecord({ name, type, data, ttl }, zone, rules);
  return parsed.ok ? { id: 'one', ...parsed.value } : undefined;
}

const names = fc.constantFrom(
  'www',
  '@',
  '_dmarc',
  'a._domainkey',
  '_mta-sts',
  'x_y',
  'www.example.com.example.com',
);
const terms = fc.constantFrom(
  'a',
  'mx',
  'ip4:192.0.2.1',
  'ip4:192.0.2',
  'include:spf.example.net',
  'include:a..b',
  'redirect=example.net',
  'exists:%{i}.example.net',
  'nonsense',
  '+a',
  '',
);
const policies = fc
  .tuple(fc.array(terms, { maxLength: 4 }), fc.constantFrom('-all', '~all', '+all', 'all', '?all', ''))
  .map(([middle, end]) => `"${['v=spf1', ...middle, end].join(' ')}"`);
const texts = fc.constantFrom(
  '"plain"',
  '"v=DKIM1; p=abc"',
  '"a\\\\; b"',
  '"v=sp" "f1 +all"',
  '"V=SPF1 +all"',
  'bare',
);
const addresses = fc.constantFrom('192.0.2.1', '10.0.0.1', '127.0.0.1', '100.64.0.1');
const contents = fc.oneof(
  addresses.map((data) => ({ type: 'A', data })),
  fc.constantFrom('2001:db8::1', 'fd00::1', '::1').map((data) => ({ type: 'AAAA', data })),
  fc.oneof(policies, texts).map((data) => ({ type: 'TXT', data })),
  fc.constantFrom('host.example.net.', '192.0.2.1').map((data) => ({ type: 'CNAME', data })),
);

test('the faults of a record by itself are those that a check of a zone with nothing else finds', () => {
  fc.assert(
    fc.property(names, contents, fc.constantFrom(1, 300), (name, { type, data }, ttl) => {
      const one = record(name, type, data, ttl);
      fc.pre(one !== undefined);
      const all = finishSteps(checkZone(zone, [one])).filter(({ code }) => ownFaults.has(code));
      expect(finishSteps(findOwnFaults(zone, [one]))).toEqual(all);
    }),
    { numRuns: 400 },
  );
});
