import { expect, test } from 'vitest';
import { checkRdata, formatRdata } from '../dns/rdata/rdata.ts';
import type { ZoneName } from './domain.ts';
import { parseSoaFields, soaOf } from './soa.ts';

const defaults = {
  nameservers: ['ns1.example.net', 'ns2.example.net'],
  mailbox: 'dns.admin@operator.example',
};
const head = { name: 'example.com' as ZoneName, serial: 7, soaPrimary: null, soaEmail: null };
const SOA = 6;

test('rule 31: the SOA names the first nameserver and hostmaster@ the domain', () => {
  const { primary, email, rdata } = soaOf(head, defaults);
  expect({ primary, email }).toEqual({ primary: 'ns1.example.net', email: 'hostmaster@example.com' });
  expect(formatRdata(SOA, rdata)).toBe('ns1.example.net. hostmaster.example.com. 7 3600 600 1209600 300');
});

test('rule 31: what the owner set stands in the SOA', () => {
  const own = soaOf(
    { ...head, serial: 0xffffffff, soaPrimary: 'ns.own.example', soaEmail: 'first.last+dns@own.example' },
    defaults,
  );
  expect(own).toMatchObject({ primary: 'ns.own.example', email: 'first.last+dns@own.example' });
  expect(formatRdata(SOA, own.rdata)).toBe(
    'ns.own.example. first\\.last+dns.own.example. 4294967295 3600 600 1209600 300',
  );
});

test.each([
  [242, true],
  [243, false],
  [253, false],
])(
  "rule 31: with a domain of %i characters, that hostmaster@ it fits is %s, else the operator's mailbox stands",
  (length, fits) => {
    const label = 'a'.repeat(63);
    const name = `${label}.${label}.${label}.${'a'.repeat(length - 192)}` as ZoneName;
    const soa = soaOf({ ...head, name }, defaults);
    expect(soa.email).toBe(fits ? `hostmaster@${name}` : 'dns.admin@operator.example');
    expect(checkRdata(SOA, soa.rdata)).toBeUndefined();
  },
);

test('rule 31: SOA fields are taken one by one, null and absent ones not at all', () => {
  expect(parseSoaFields({})).toEqual({ ok: true, value: {} });
  expect(parseSoaFields({ nsprimary: null, email: null })).toEqual({ ok: true, value: {} });
  expect(parseSoaFields({ nsprimary: ' NS1.Bücher.example. ' })).toEqual({
    ok: true,
    value: { soaPrimary: 'ns1.xn--bcher-kva.example' },
  });
  expect(parseSoaFields({ email: 'Dns.Admin@Bücher.example' })).toEqual({
    ok: true,
    value: { soaEmail: 'Dns.Admin@xn--bcher-kva.example' },
  });
});

test.each([
  [{ nsprimary: '' }, 'nsprimary', '"" is not a host name'],
  [{ nsprimary: '.' }, 'nsprimary', '"." is not a host name'],
  [{ nsprimary: 'ns 1.example' }, 'nsprimary', '"ns 1.example" is not a host name'],
  [{ nsprimary: 'a..b' }, 'nsprimary', '"a..b" is not a host name'],
  [{ nsprimary: 'a'.repeat(64) }, 'nsprimary', 'is not a host name'],
  [{ nsprimary: 'ü'.repeat(2000) }, 'nsprimary', 'Host name is longer than 255 octets'],
  [{ email: '' }, 'email', '"" is not a mail address'],
  [{ email: 'hostmaster.example.com' }, 'email', 'is not a mail address'],
  [{ email: '@example.com' }, 'email', 'is not a mail address'],
  [{ email: 'a@' }, 'email', 'is not a mail address'],
  [{ email: 'a@b@example.com' }, 'email', 'is not a mail address'],
  [{ email: '.a@example.com' }, 'email', 'is not a mail address'],
  [{ email: 'a b@example.com' }, 'email', 'is not a mail address'],
  [{ email: 'ü@example.com' }, 'email', 'is not a mail address'],
  [{ email: `${'a'.repeat(64)}@example.com` }, 'email', 'has 64 characters, more than 63'],
  [
    { email: `${'a'.repeat(63)}@${`${'b'.repeat(62)}.`.repeat(3)}cc` },
    'email',
    'is too long for the SOA record',
  ],
])('rule 31: SOA fields %j are refused', (input, field, sentence) => {
  const result = parseSoaFields(input);
  expect(result).toMatchObject({ ok: false, refusal: { code: 'invalid_request', field } });
  if (!result.ok) expect(result.refusal.message).toContain(sentence);
});
