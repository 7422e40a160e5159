import { expect, test } from 'vitest';
import { findPasskeySite } from './passkey-site.ts';

const publicSite = { origin: 'https://dns.example.net:8443', rpId: 'dns.example.net' };
const local = { origin: 'http://localhost:8080', rpId: 'localhost' };

test.each([
  [{ host: 'dns.example.net:8443' }, publicSite.origin, publicSite],
  [{ host: 'evil.example', origin: 'https://evil.example' }, publicSite.origin, publicSite],
  [{ host: 'localhost:8080' }, publicSite.origin, publicSite],
  [{ host: '192.0.2.1' }, 'https://192.0.2.1', undefined],
  [{ host: '[2001:db8::1]' }, 'https://[2001:db8::1]', undefined],
  [{ host: 'localhost:8080' }, undefined, local],
  [{ host: 'LOCALHOST:8080', origin: 'http://localhost:8080' }, undefined, local],
  [{ host: 'localhost:8080', origin: 'http://evil.example' }, undefined, local],
  [
    { host: 'localhost:8443', origin: 'https://localhost:8443' },
    undefined,
    { origin: 'https://localhost:8443', rpId: 'localhost' },
  ],
  [{ host: '127.0.0.1:8080' }, undefined, undefined],
  [{ host: 'dns.example.net' }, undefined, undefined],
  [{}, undefined, undefined],
])('with the headers %j and the public URL %s, passkeys belong to %j', (headers, publicUrl, site) => {
  expect(findPasskeySite(headers, publicUrl)).toEqual(site);
});
