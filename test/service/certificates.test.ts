import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as sendHttps } from 'node:https';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { findHealth, openHttp2, sendHttp2 } from '../harness/http2-client.ts';
import { newDatabase } from '../harness/postgres-server.ts';
import { findChild } from '../harness/process-family.ts';
import {
  makeDataFolder,
  makeFolder,
  runProgram,
  settingsFor,
  startService,
  type Service,
  type StartOptions,
} from '../harness/service.ts';
import { makeTestCertificate, type TestCertificate } from '../harness/test-certificate.ts';
import { makeTlsFiles, type TlsFiles } from '../harness/tls-files.ts';

/* The files of the certificate: exchanged, broken, missing, expired. */

async function start({ settings }: Pick<TlsFiles, 'settings'>, options: StartOptions = {}): Promise<Service> {
  const service = await startService({ ...options, settings });
  onTestFinished(() => service.stop().then(() => undefined));
  return service;
}

test('a certificate is exchanged without a restart, and a broken one is not used', async () => {
  const files = makeTlsFiles();
  const service = await start(files);
  const session = openHttp2(service, files.certificate);
  await sendHttp2(session, { ':path': '/healthz' });
  files.replace({ ...makeTestCertificate(), key: makeTestCertificate().key });
  const readiness = async () => (await service.http.get('/readyz', { key: null })).text;
  await expect.poll(readiness).toContain('"problem":"certificate_unusable"');
  expect(await findHealth(service, files.certificate)).toBe(200);
  const next = makeTestCertificate({ startsInDays: -27, endsInDays: 3 });
  files.replace(next);
  await expect.poll(() => findHealth(service, next.certificate).catch(() => undefined)).toBe(200);
  await expect.poll(readiness).not.toContain('certificate_unusable');
  expect(await readiness()).toContain('"problem":"certificate_expiring"');
  expect((await sendHttp2(session, { ':path': '/healthz' })).status).toBe(200);
  expect(service.output()).toContain('the certificate of HTTPS has changed');
});

test('all processes of an installation take over a new certificate, and keep their connections', async () => {
  const files = makeTlsFiles();
  const database = await newDatabase(inject('postgresUrl'));
  const services = [
    await start(files, { database, role: 'api' }),
    await start(files, { database, role: 'nameserver' }),
  ];
  const path = { ':path': '/healthz' };
  const sessions = services.map((service) => openHttp2(service, files.certificate));
  for (const session of sessions) expect((await sendHttp2(session, path)).status).toBe(200);
  const next = makeTestCertificate();
  files.replace(next);
  for (const service of services)
    await expect.poll(() => findHealth(service, next.certificate).catch(() => undefined)).toBe(200);
  for (const session of sessions) expect((await sendHttp2(session, path)).status).toBe(200);
});

test('a new certificate is found behind a link that is switched, as certbot and Kubernetes do', async () => {
  const folder = makeFolder();
  const next = makeTestCertificate();
  const publish = (name: string, { certificate, key }: TestCertificate): void => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'certificate.pem'), certificate);
    writeFileSync(join(folder, name, 'key.pem'), key);
    symlinkSync(name, join(folder, 'switched'));
    renameSync(join(folder, 'switched'), join(folder, 'live'));
  };
  publish('first', makeTestCertificate());
  const settings = {
    ZONEWRIGHT_HTTPS: '127.0.0.1:0',
    ZONEWRIGHT_TLS_CERTIFICATE: join(folder, 'live', 'certificate.pem'),
    ZONEWRIGHT_TLS_KEY: join(folder, 'live', 'key.pem'),
  };
  const service = await start({ settings });
  publish('second', next);
  await expect.poll(() => findHealth(service, next.certificate).catch(() => undefined)).toBe(200);
});

test('the successor of the HTTP process uses the same port, and starts without files that can be used', async () => {
  const files = makeTlsFiles();
  const service = await start(files);
  const killHttp = (): void => void process.kill(findChild(service.pid, 'http') ?? 0, 'SIGKILL');
  killHttp();
  await expect.poll(() => findHealth(service, files.certificate).catch(() => undefined)).toBe(200);
  unlinkSync(files.certificatePath);
  killHttp();
  const readiness = async () => {
    const reply = await service.http.get('/readyz', { key: null }).catch(() => undefined);
    return [reply?.status, reply?.text.includes('certificate_unusable')];
  };
  await expect.poll(readiness).toEqual([200, true]);
  await createDomain(service);
  await expect(findHealth(service, files.certificate)).rejects.toThrow();
  const next = makeTestCertificate();
  files.replace(next);
  await expect.poll(() => findHealth(service, next.certificate).catch(() => undefined)).toBe(200);
});

test('an expired certificate does not keep the service from starting', async () => {
  const expired = makeTestCertificate({ startsInDays: -3, endsInDays: -1 });
  const service = await start(makeTlsFiles(expired));
  const { status, text: body } = await service.http.get('/readyz', { key: null });
  expect([status, body]).toEqual([200, expect.stringContaining('The certificate of HTTPS has expired on')]);
  await expect.poll(() => service.output()).toContain('"problem":"certificate_expiring"');
  const [host, port] = service.httpsAddress.split(':');
  const agent = new Agent({ rejectUnauthorized: false });
  const message = sendHttps({ host, port, path: '/healthz', agent });
  message.end();
  const [answer] = (await once(message, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(200);
});

const { settings: complete, certificatePath } = makeTlsFiles();
const without = (name: string) => ({ ...complete, [name]: '' });

test.each([
  [without('ZONEWRIGHT_HTTPS'), 2, /^zonewright: tls_certificate is set, but TLS needs https as well$/],
  [
    without('ZONEWRIGHT_TLS_CERTIFICATE'),
    2,
    /^zonewright: https is set, but TLS needs tls_certificate as well$/,
  ],
  [without('ZONEWRIGHT_TLS_KEY'), 2, /^zonewright: https is set, but TLS needs tls_key as well$/],
  [
    { ...complete, ZONEWRIGHT_TLS_KEY: '/nowhere/key.pem' },
    1,
    /^zonewright: HTTPS cannot start: the key file \/nowhere\/key\.pem cannot be read \(ENOENT\)$/,
  ],
  [
    { ...complete, ZONEWRIGHT_TLS_KEY: certificatePath },
    1,
    /^zonewright: HTTPS cannot start: .* cannot be used: the key file has no private key in PEM format$/,
  ],
  [
    { ...complete, ...makeTlsFiles().settings, ZONEWRIGHT_TLS_CERTIFICATE: certificatePath },
    1,
    /^zonewright: HTTPS cannot start: .* cannot be used: the key does not belong to the first certificate$/,
  ],
])(
  'a start with settings that cannot work is refused in one sentence %#',
  async (settings, code, sentence) => {
    const finished = await runProgram(['serve'], { ...settingsFor(makeDataFolder()), ...settings });
    expect([finished.code, finished.said.trim()]).toEqual([code, expect.stringMatching(sentence)]);
  },
);
