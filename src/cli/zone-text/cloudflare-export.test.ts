import { expect, test } from 'vitest';
import { readCloudflareExport } from './cloudflare-export.ts';

/** As the dashboard writes it, without the legal notes. */
const exported = `;;
;; Domain:     example.com.
;; Exported:   2026-11-20 14:25:02
;;
;; SOA Record
example.com\t3600\tIN\tSOA\tada.ns.cloudflare.com. dns.cloudflare.com. 2050131287 10000 2400 604800 3600

;; NS Records
example.com.\t86400\tIN\tNS\tada.ns.cloudflare.com.

;; A Records
example.com.\t1\tIN\tA\t192.0.2.1 ; cf_tags=cf-proxied:true
mail.example.com.\t1\tIN\tA\t192.0.2.25 ; the mail server cf_tags=cf-proxied:false
old.example.com.\t120\tIN\tA\t192.0.2.3 ; old web server cf_tags=team:web,cf-proxied:true

;; CNAME Records
www.example.com.\t1\tIN\tCNAME\texample.com. ; cf_tags=cf-proxied:false

;; MX Records
example.com.\t1\tIN\tMX\t25 route1.mx.cloudflare.net.

;; TXT Records
example.com.\t1\tIN\tTXT\t"v=spf1 mx -all; cf_tags=cf-proxied:true"
`;

test("Cloudflare's own export becomes a correct zone file with the same lines", () => {
  const found = readCloudflareExport(exported);
  const lines = found?.text.split('\n') ?? [];
  expect(lines).toHaveLength(exported.split('\n').length);
  expect(
    lines.filter((line) => line !== '' && !line.startsWith(';')).map((line) => line.replaceAll('\t', ' ')),
  ).toEqual([
    'example.com. 3600 IN SOA ada.ns.cloudflare.com. dns.cloudflare.com. 2050131287 10000 2400 604800 3600',
    'example.com. 86400 IN NS ada.ns.cloudflare.com.',
    'example.com. 300 IN A 192.0.2.1 ; cf_tags=cf-proxied:true',
    'mail.example.com. 300 IN A 192.0.2.25 ; the mail server cf_tags=cf-proxied:false',
    'old.example.com. 120 IN A 192.0.2.3 ; old web server cf_tags=team:web,cf-proxied:true',
    'www.example.com. 300 IN CNAME example.com. ; cf_tags=cf-proxied:false',
    'example.com. 300 IN MX 25 route1.mx.cloudflare.net.',
    'example.com. 300 IN TXT "v=spf1 mx -all; cf_tags=cf-proxied:true"',
  ]);
  expect(found?.skipped).toEqual([]);
  expect(found?.notes).toEqual([
    expect.stringMatching(/^example\.com\. IN A 192\.0\.2\.1: .*\(proxied\)/),
    expect.stringMatching(/^old\.example\.com\. IN A 192\.0\.2\.3: .*\(proxied\)/),
    expect.stringMatching(/^example\.com\. IN MX 25 .*forwards mail/),
  ]);
});

test('a CNAME record of the domain itself is skipped with its reason', () => {
  const text = `${exported}example.com.\t1\tIN\tCNAME\tweb.example.net. ; cf_tags=cf-proxied:true\n`;
  const found = readCloudflareExport(text);
  expect(found?.skipped).toEqual([
    {
      record: 'example.com. IN CNAME web.example.net.',
      reason: expect.stringContaining('itself cannot have a CNAME') as string,
    },
  ]);
  expect(found?.text).toContain('\n; example.com.\t1\tIN\tCNAME');
});

test('other zone files are not changed, so that TTL 1 stays 1', () => {
  expect(readCloudflareExport('example.com. 1 IN A 192.0.2.1 ; cf_tags=cf-proxied:true\n')).toBeUndefined();
});
