// The requests of clients that Debian does not package, as in their sources.

import type { ApiRecord, ApiResponse } from '../api.ts';

export interface ReplayedRecord {
  /** The body of the POST, as sent. */
  readonly body: string;
  /** The record that the service must store; members that are not named can have any value. */
  readonly stored: Pick<ApiRecord, 'type' | 'name'> & Partial<ApiRecord>;
  /** The rdata that dig prints. */
  readonly answer: string;
  readonly change?: { readonly body: string; readonly answer: string };
}

export interface ReplayedClient {
  readonly name: string;
  readonly domain: string;
  readonly domainBody: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests that it sends before it writes. */
  readonly lookups: readonly string[];
  readonly listQuery: string;
  readonly records: readonly ReplayedRecord[];
  /** Finds the id of the record in the list. */
  findId(list: ApiResponse, row: ReplayedRecord): string | undefined;
}

/** govultr declares every request as JSON, even without a body. */
const govultrHeaders = (agent: string) => ({
  'User-Agent': agent,
  Accept: 'application/json',
  'Content-Type': 'application/json',
});

const byNameAndType = (list: ApiResponse, { stored }: ReplayedRecord): string | undefined =>
  list.body.records?.find(({ name, type }) => name === stored.name && type === stored.type)?.id;

const CHALLENGE = 'XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs';

const acmeSh: ReplayedClient = {
  name: 'acme.sh',
  domain: 'acme-sh.example',
  domainBody: '{"domain":"acme-sh.example"}',
  headers: {
    'User-Agent': 'acme.sh/3.1.0 (https://github.com/acmesh-official/acme.sh)',
    'Content-Type': 'application/json',
  },
  lookups: ['/v2/domains', '/v2/domains/acme-sh.example/records'],
  listQuery: '',
  records: [
    {
      body: `{"name":"_acme-challenge.www","data":"${CHALLENGE}","type":"TXT"}`,
      stored: { type: 'TXT', name: '_acme-challenge.www', data: `"${CHALLENGE}"`, ttl: 300 },
      answer: `"${CHALLENGE}"`,
    },
    {
      body: `{"name":"_acme-challenge","data":"${CHALLENGE}","type":"TXT"}`,
      stored: { type: 'TXT', name: '_acme-challenge', data: `"${CHALLENGE}"`, ttl: 300 },
      answer: `"${CHALLENGE}"`,
    },
  ],
  // It splits the text at braces and commas, and takes the text after the colon of the part that contains "id".
  findId: (list) => {
    const object =
      list.text.split(/[{}]/).find((part) => part.includes('"TXT"') && part.includes(CHALLENGE)) ?? '';
    const parts = object.split(',').filter((part) => /id/i.test(part));
    return parts.map((part) => (part.split(':')[1] ?? '').replaceAll('"', '')).join('\n');
  },
};

const terraform: ReplayedClient = {
  name: 'terraform',
  domain: 'terraform.example',
  domainBody: '{"domain":"terraform.example","ip":"192.0.2.1","dns_sec":"disabled"}',
  headers: govultrHeaders('Terraform/1.9.0 (+https://www.terraform.io) terraform-provider-vultr/2.21.0'),
  lookups: ['/v2/domains/terraform.example'],
  listQuery: '',
  records: [
    {
      body: '{"name":"www","type":"A","data":"192.0.2.10","ttl":3600,"priority":0}\n',
      stored: { type: 'A', name: 'www', data: '192.0.2.10', ttl: 3600, priority: 0 },
      answer: '192.0.2.10',
      change: { body: '{"name":"www","data":"192.0.2.11","ttl":3600,"priority":0}\n', answer: '192.0.2.11' },
    },
    {
      body: '{"name":"","type":"MX","data":"mail.terraform.example","ttl":3600,"priority":10}\n',
      stored: { type: 'MX', name: '', data: 'mail.terraform.example', priority: 10 },
      answer: '10 mail.terraform.example.',
    },
    {
      body: '{"name":"","type":"TXT","data":"\\"v=spf1 -all\\"","ttl":3600,"priority":0}\n',
      stored: { type: 'TXT', name: '', data: '"v=spf1 -all"', priority: 0 },
      answer: '"v=spf1 -all"',
      change: {
        body: '{"name":"","data":"\\"v=spf1 mx -all\\"","ttl":3600,"priority":0}\n',
        answer: '"v=spf1 mx -all"',
      },
    },
    {
      body: '{"name":"_sip._tcp","type":"SRV","data":"0 5060 sip.terraform.example","ttl":3600,"priority":0}\n',
      stored: { type: 'SRV', name: '_sip._tcp', data: '0 5060 sip.terraform.example', priority: 0 },
      answer: '0 0 5060 sip.terraform.example.',
    },
  ],
  findId: byNameAndType,
};

const externalDns: ReplayedClient = {
  name: 'external-dns',
  domain: 'external-dns.example',
  domainBody: '{"domain":"external-dns.example"}',
  headers: govultrHeaders('ExternalDNS/v0.15.0'),
  lookups: ['/v2/domains', '/v2/domains/external-dns.example/records'],
  listQuery: '?per_page=100',
  records: [
    {
      body: '{"name":"nginx.external-dns.example","type":"A","data":"192.0.2.10","ttl":3600}\n',
      stored: { type: 'A', name: 'nginx', data: '192.0.2.10', ttl: 3600 },
      answer: '192.0.2.10',
      change: {
        body: '{"name":"nginx.external-dns.example","type":"A","data":"192.0.2.11","ttl":3600}\n',
        answer: '192.0.2.11',
      },
    },
    {
      body: '{"name":"external-dns.example","type":"A","data":"192.0.2.12","ttl":3600}\n',
      stored: { type: 'A', name: '', data: '192.0.2.12', ttl: 3600 },
      answer: '192.0.2.12',
    },
    {
      body: '{"name":"a-nginx.external-dns.example","type":"TXT","data":"\\"heritage=external-dns,external-dns/owner=default,external-dns/resource=service/default/nginx\\"","ttl":3600}\n',
      stored: {
        type: 'TXT',
        name: 'a-nginx',
        data: '"heritage=external-dns,external-dns/owner=default,external-dns/resource=service/default/nginx"',
      },
      answer:
        '"heritage=external-dns,external-dns/owner=default,external-dns/resource=service/default/nginx"',
    },
    {
      body: '{"name":"cname.external-dns.example","type":"CNAME","data":"lb.elsewhere.test","ttl":3600}\n',
      stored: { type: 'CNAME', name: 'cname', data: 'lb.elsewhere.test' },
      answer: 'lb.elsewhere.test.',
    },
  ],
  findId: byNameAndType,
};

const caddy: ReplayedClient = {
  name: 'libdns (Caddy)',
  domain: 'caddy.example',
  domainBody: '{"domain":"caddy.example"}',
  headers: govultrHeaders('govultr/3.20.0'),
  lookups: ['/v2/domains', '/v2/domains/caddy.example/records'],
  listQuery: '',
  records: [
    {
      body: `{"name":"_acme-challenge","type":"TXT","data":"${CHALLENGE}","priority":0}\n`,
      stored: { type: 'TXT', name: '_acme-challenge', data: `"${CHALLENGE}"`, ttl: 300 },
      answer: `"${CHALLENGE}"`,
      change: {
        body: `{"name":"_acme-challenge","type":"TXT","data":"second","priority":0}\n`,
        answer: '"second"',
      },
    },
    {
      body: '{"name":"@","type":"AAAA","data":"2001:db8::1","ttl":600,"priority":0}\n',
      stored: { type: 'AAAA', name: '', data: '2001:db8::1', ttl: 600 },
      answer: '2001:db8::1',
    },
    {
      // Older versions quote like Go.
      body: `{"name":"_acme-challenge.old","type":"TXT","data":"\\"${CHALLENGE}\\"","ttl":120}\n`,
      stored: { type: 'TXT', name: '_acme-challenge.old', data: `"${CHALLENGE}"`, ttl: 120 },
      answer: `"${CHALLENGE}"`,
    },
    {
      body: '{"name":"@","type":"MX","data":"mail.caddy.example.","ttl":600,"priority":10}\n',
      stored: { type: 'MX', name: '', priority: 10 },
      answer: '10 mail.caddy.example.',
    },
  ],
  findId: byNameAndType,
};

const dnscontrol: ReplayedClient = {
  name: 'dnscontrol',
  domain: 'dnscontrol.example',
  domainBody: '{"domain":"dnscontrol.example","ip":"0.0.0.0","dns_sec":"disabled"}',
  headers: govultrHeaders('dnscontrol'),
  lookups: ['/v2/account', '/v2/domains', '/v2/domains/dnscontrol.example/records'],
  listQuery: '',
  records: [
    {
      body: '{"name":"","type":"TXT","data":"\\"v=spf1 -all\\"","ttl":300,"priority":0}\n',
      stored: { type: 'TXT', name: '', data: '"v=spf1 -all"', priority: 0 },
      answer: '"v=spf1 -all"',
      change: {
        body: '{"name":"","type":"TXT","data":"\\"v=spf1 mx -all\\"","ttl":300,"priority":0}\n',
        answer: '"v=spf1 mx -all"',
      },
    },
    {
      body: '{"name":"","type":"CAA","data":"0 issue \\"letsencrypt.org\\"","ttl":300,"priority":0}\n',
      stored: { type: 'CAA', name: '', data: '0 issue "letsencrypt.org"' },
      answer: '0 issue "letsencrypt.org"',
    },
    {
      body: '{"name":"_sip._udp","type":"SRV","data":"0 0 .","ttl":300,"priority":0}\n',
      stored: { type: 'SRV', name: '_sip._udp', data: '0 0 .' },
      answer: '0 0 0 .',
    },
    {
      body: '{"name":"host","type":"SSHFP","data":"1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF01","ttl":300,"priority":0}\n',
      stored: { type: 'SSHFP', name: 'host', data: '1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF01' },
      answer: '1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF01',
    },
    {
      // Host names are sent as U-labels.
      body: '{"name":"idn","type":"CNAME","data":"bücher.example","ttl":300,"priority":0}\n',
      stored: { type: 'CNAME', name: 'idn' },
      answer: 'xn--bcher-kva.example.',
    },
  ],
  // It fails if a TXT record is returned without quotes.
  findId: (list, row) => {
    const texts = (list.body.records ?? []).filter(({ type }) => type === 'TXT');
    return texts.every(({ data }) => /^".*"$/s.test(data)) ? byNameAndType(list, row) : undefined;
  },
};

const octodns: ReplayedClient = {
  name: 'octodns',
  domain: 'octodns.example',
  domainBody: '{"domain": "octodns.example"}',
  headers: { 'User-Agent': 'octodns/1.10.0 octodns-vultr/0.0.1', 'Content-Type': 'application/json' },
  lookups: ['/v2/domains/octodns.example', '/v2/domains/octodns.example/records?per_page=100'],
  listQuery: '?per_page=100',
  records: [
    {
      body: '{"name": "@", "type": "A", "data": "192.0.2.10", "ttl": 300}',
      stored: { type: 'A', name: '', data: '192.0.2.10' },
      answer: '192.0.2.10',
    },
    {
      body: '{"name": "alias", "type": "CNAME", "data": "www.octodns.example.", "ttl": 300}',
      stored: { type: 'CNAME', name: 'alias' },
      answer: 'www.octodns.example.',
    },
    {
      body: '{"name": "@", "type": "MX", "data": "mail.octodns.example.", "priority": 10, "ttl": 300}',
      stored: { type: 'MX', name: '', priority: 10 },
      answer: '10 mail.octodns.example.',
    },
    {
      body: '{"name": "text", "type": "TXT", "data": "v=DKIM1; k=rsa; p=abc", "ttl": 300}',
      stored: { type: 'TXT', name: 'text', data: '"v=DKIM1; k=rsa; p=abc"' },
      answer: '"v=DKIM1; k=rsa; p=abc"',
    },
  ],
  findId: byNameAndType,
};

const ddnsUpdater: ReplayedClient = {
  name: 'ddns-updater',
  domain: 'ddns-updater.example',
  domainBody: '{"domain":"ddns-updater.example"}',
  headers: {
    'User-Agent': 'DDNS-Updater quentin.mcgaw@gmail.com',
    Accept: 'application/json',
    'Content-Type': 'application/json',
  },
  lookups: ['/v2/domains/ddns-updater.example/records'],
  listQuery: '',
  records: [
    {
      body: '{"type":"A","data":"192.0.2.10","name":"@","ttl":900}\n',
      stored: { type: 'A', name: '', data: '192.0.2.10', ttl: 900 },
      answer: '192.0.2.10',
      change: { body: '{"data":"192.0.2.11","name":"@","ttl":900}\n', answer: '192.0.2.11' },
    },
    {
      body: '{"type":"AAAA","data":"2001:db8::10","name":"home"}\n',
      stored: { type: 'AAAA', name: 'home', data: '2001:db8::10', ttl: 300 },
      answer: '2001:db8::10',
      change: { body: '{"data":"2001:db8::11","name":"home"}\n', answer: '2001:db8::11' },
    },
  ],
  findId: byNameAndType,
};

/** A plain client that follows the specification's document: it knows 200, 201, 400 and 403. */
const bulkCopier: ReplayedClient = {
  name: 'bulk copier with curl',
  domain: 'bulk-copier.example',
  domainBody: '{"domain":"bulk-copier.example"}',
  headers: {
    'User-Agent': 'curl/7.88.1',
    Accept: '*/*',
    'Content-Type': 'application/x-www-form-urlencoded',
  },
  lookups: ['/v2/domains/', '/v2/domains/bulk-copier.example/records/?&per_page=500&unknown=1'],
  listQuery: '?per_page=9999',
  records: [
    {
      body: '{"type":"txt","name":"s1._domainkey.bulk-copier.example.","data":"\\"v=DKIM1; \\" \\"k=rsa; p=abc\\"","ttl":"3600","priority":null}',
      stored: {
        type: 'TXT',
        name: 's1._domainkey',
        data: '"v=DKIM1; k=rsa; p=abc"',
        ttl: 3600,
        priority: -1,
      },
      answer: '"v=DKIM1; k=rsa; p=abc"',
    },
    {
      body: '{"type":"MX","name":"@","data":"10 mail.bulk-copier.example.","ttl":3600}',
      stored: { type: 'MX', name: '', priority: 10 },
      answer: '10 mail.bulk-copier.example.',
    },
    {
      body: '{"type":"SRV","name":"_sip._tcp","data":"20 5 5060 sip.bulk-copier.example.","ttl":3600}',
      stored: { type: 'SRV', name: '_sip._tcp', priority: 20 },
      answer: '20 5 5060 sip.bulk-copier.example.',
    },
  ],
  findId: byNameAndType,
};

export const replayedClients: readonly ReplayedClient[] = [
  acmeSh,
  terraform,
  externalDns,
  caddy,
  dnscontrol,
  octodns,
  ddnsUpdater,
  bulkCopier,
];
