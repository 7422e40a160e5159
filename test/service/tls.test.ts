import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request as sendHttps } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { openHttp2, sendHttp2 } from '../harness/http2-client.ts';
import { linkToken, PASSWORD } from '../harness/people.ts';
import { runProgram, startService, type Service } from '../harness/service.ts';
import { makeTlsFiles, type TlsFiles } from '../harness/tls-files.ts';

async function start(files: TlsFiles): Promise<Service> {
  const service = await startService({ settings: files.settings });
  onTestFinished(() => service.stop().then(() => undefined));
  return service;
}

const halfYear = 'max-age=15552000';

test('HTTP/1.1 and HTTP/2 are served over TLS, beside plain HTTP', async () => {
  const files = makeTlsFiles();
  const service = await start(files);
  const { certificate: ca } = files;
  const authorization = `Bearer ${service.key}`;
  const session = openHttp2(service, ca);
  const create = { ':method': 'POST', ':path': '/v2/domains', authorization };
  expect(await sendHttp2(session, create, '{"domain":"tls.example","ip":"192.0.2.7"}')).toMatchObject({
    status: 201,
    hsts: halfYear,
  });
  expect(await service.dns.look('tls.example', 'A')).toEqual(['192.0.2.7']);
  const [host, port] = service.httpsAddress.split(':');
  const old = sendHttps({ host, port, ca, path: '/v2/domains/tls.example', headers: { authorization } });
  old.end();
  const [message] = (await once(old, 'response')) as [IncomingMessage];
  expect([message.httpVersion, message.statusCode, message.headers['strict-transport-security']]).toEqual([
    '1.1',
    200,
    halfYear,
  ]);
  message.resume();
  expect((await service.http.get('/v2/domains/tls.example')).status).toBe(200);
  const docs = await service.http.get('/docs');
  expect([docs.status, docs.headers.location]).toEqual([308, `https://127.0.0.1:${port}/docs`]);
  expect((await service.http.get('/readyz', { key: null })).text).not.toContain('problems');
  const metrics = (await service.http.get('/metrics')).text;
  const left = Number(/^zonewright_tls_certificate_expiry_seconds (.*)$/m.exec(metrics)?.[1]) / 86_400;
  expect(Math.round(left)).toBe(30);
});

test('over TLS, users get a cookie that browsers send over nothing else', async () => {
  const files = makeTlsFiles();
  const service = await start(files);
  const session = openHttp2(service, files.certificate);
  const body = {
    token: await linkToken(service),
    email: 'anna@example.net',
    name: 'Anna',
    password: PASSWORD,
  };
  const accept = {
    ':method': 'POST',
    ':path': '/v2/invitation/accept',
    'sec-fetch-site': 'same-origin',
  };
  const { status, cookies } = await sendHttp2(session, accept, JSON.stringify(body));
  expect([status, cookies]).toEqual([
    201,
    [expect.stringMatching(/^__Host-zonewright=[^;]+; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/)],
  ]);
  const [cookie] = cookies[0].split(';');
  expect((await sendHttp2(session, { ':path': '/v2/session', cookie })).status).toBe(200);
  const plain = await service.http.get('/v2/session', { key: null, headers: { cookie } });
  expect(plain.status).toBe(403);
});

/** @returns the version that was negotiated, or the code of the error */
async function negotiate(service: Service, ca: string, version: SecureVersion): Promise<string | null> {
  const [host, port] = service.httpsAddress.split(':');
  const versions = { minVersion: version, maxVersion: version };
  // By itself, OpenSSL no longer offers the old versions.
  const socket = connectTls({ host, port: Number(port), ca, ...versions, ciphers: 'DEFAULT@SECLEVEL=0' });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

test('clients cannot choose a version of TLS before 1.2', async () => {
  const files = makeTlsFiles();
  const service = await start(files);
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
    expect(await negotiate(service, files.certificate, version)).toBe(version);
  for (const version of ['TLSv1', 'TLSv1.1'] as const)
    expect(await negotiate(service, files.certificate, version)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

const runFile = promisify(execFile);
const hasProgram = (name: string, argument: string): boolean => spawnSync(name, [argument]).status === 0;

test.runIf(hasProgram('curl', '--version'))(
  'curl is served with the version of HTTP that it asks for',
  async () => {
    const files = makeTlsFiles();
    const service = await start(files);
    const ask = async (option: string, url: string): Promise<string> => {
      const report = [
        '--silent',
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_version} %{response_code} %{url_effective}',
      ];
      return (
        await runFile('curl', [...report, option, '--cacert', files.certificatePath, '--location', url])
      ).stdout;
    };
    const health = `https://${service.httpsAddress}/healthz`;
    expect(await ask('--http2', health)).toBe(`2 200 ${health}`);
    expect(await ask('--http1.1', health)).toBe(`1.1 200 ${health}`);
    const docs = `https://${service.httpsAddress}/docs`;
    expect(await ask('--http2', `http://${service.httpAddress}/docs`)).toBe(`2 200 ${docs}`);
    const interfaceUrl = `http://${service.httpAddress}/v2/domains`;
    expect(await ask('--http1.1', interfaceUrl)).toBe(`1.1 403 ${interfaceUrl}`);
  },
);

test.runIf(hasProgram('openssl', 'version'))(
  'openssl s_client connects with TLS 1.2, and not with TLS 1.1',
  async () => {
    const files = makeTlsFiles();
    const service = await start(files);
    const look = async (version: string): Promise<string> => {
      const target = [
        '-connect',
        service.httpsAddress,
        '-CAfile',
        files.certificatePath,
        '-verify_return_error',
      ];
      const looking = runFile('openssl', ['s_client', ...target, '-cipher', 'DEFAULT@SECLEVEL=0', version]);
      looking.child.stdin?.end();
      const { stdout, stderr } = await looking.catch((error: unknown) => error as Awaited<typeof looking>);
      return stdout + stderr;
    };
    expect(await look('-tls1_2')).toContain('Verify return code: 0 (ok)');
    expect(await look('-tls1_1')).toContain('alert protocol version');
  },
);

test('the command line reaches the service over TLS', async () => {
  const files = makeTlsFiles();
  const service = await start(files);
  const domain = await createDomain(service);
  const settings = {
    ZONEWRIGHT_URL: `https://${service.httpsAddress}`,
    ZONEWRIGHT_KEY: service.key,
    NODE_EXTRA_CA_CERTS: files.certificatePath,
  };
  const listed = await runProgram(['domain', 'list'], settings);
  expect([listed.code, listed.said]).toEqual([0, expect.stringContaining(domain)]);
  const distrusting = await runProgram(['domain', 'list'], { ...settings, NODE_EXTRA_CA_CERTS: '' });
  expect(distrusting.code).not.toBe(0);
  expect(distrusting.said).toMatch(/certificate/);
});

test('after SIGTERM, requests in progress over HTTP/2 are answered', async () => {
  const files = makeTlsFiles();
  const service = await startService({ settings: files.settings });
  const [busy, idle] = [openHttp2(service, files.certificate), openHttp2(service, files.certificate)];
  const authorization = `Bearer ${service.key}`;
  await sendHttp2(idle, { ':path': '/v2/account', authorization });
  const under = busy.request(
    { ':method': 'POST', ':path': '/v2/domains', authorization },
    { endStream: false },
  );
  under.write('{"domain":');
  await sendHttp2(busy, { ':path': '/v2/account', authorization });
  const closed = once(idle, 'close');
  const stopped = service.stop();
  await closed;
  under.end('"under-way.example"}');
  const [answer] = (await once(under, 'response')) as [Record<string, string>];
  expect(answer[':status']).toBe(201);
  under.resume();
  expect(await stopped).toBe(0);
});
