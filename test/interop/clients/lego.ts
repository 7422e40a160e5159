// lego and pebble issue a real certificate for a name and its wildcard: lego creates the DNS-01 challenges in the
// service, and pebble queries its nameserver. lego's provider has a built-in base address and reaches the service
// through HTTPS_PROXY.

import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../harness/free-port.ts';
import { listKeys } from '../api.ts';
import { expectValidated } from '../delv.ts';
import { expectAnswers, expectStatus } from '../dig.ts';
import { expectEqual } from '../expect.ts';
import { cleanEnvironment, runProgram, startProgram, stopProgram } from '../run-program.ts';
import type { Bench, Suite } from '../suite.ts';

const DOMAIN = 'lego.example';
const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 2_000;

interface Pebble {
  readonly directoryUrl: string;
  log(): string;
  stop(): Promise<unknown>;
}

export const legoSuite: Suite = {
  name: 'lego',
  run: async (runCase, bench) => {
    const { api, dig, folder } = bench;
    // A signed domain takes the challenges like any other.
    const signed = { domain: DOMAIN, ip: '192.0.2.1', dns_sec: 'enabled' };
    await api.mustSend('POST', '/v2/domains', signed);
    const pebble = await startPebble(bench);
    const lego = createLego(bench, pebble, await makeKey(bench, DOMAIN));
    const legoOfHost = createLego(bench, pebble, await makeKey(bench, `www.${DOMAIN}`));
    const certFile = join(folder, 'lego/certificates', `${DOMAIN}.crt`);
    try {
      await runCase('issue a certificate for the domain and its wildcard', async () => {
        await lego(['--domains', DOMAIN, '--domains', `*.${DOMAIN}`], 'run');
        const certificate = readCertificate(certFile);
        expectEqual(certificate.names, [`*.${DOMAIN}`, DOMAIN], 'names in the certificate');
        return `issued by ${certificate.issuer}, ${certificate.names.join(' and ')}`;
      });
      await runCase('take the challenges away again', async () => {
        await expectStatus(dig, `_acme-challenge.${DOMAIN}`, 'TXT', 'NXDOMAIN');
        await expectAnswers(dig, DOMAIN, 'A', ['192.0.2.1']);
        const keys = await listKeys(api, DOMAIN);
        const about = { domain: DOMAIN, keys, dnsPort: dig.port, folder };
        await expectValidated(about, [`_acme-challenge.${DOMAIN}`, 'TXT'], [DOMAIN, 'A']);
        return 'NXDOMAIN where the challenges stood, validated';
      });
      await runCase('renew it', async () => {
        const before = readCertificate(certFile).serial;
        await lego(
          ['--domains', DOMAIN, '--domains', `*.${DOMAIN}`],
          'renew',
          '--days',
          '36500',
          '--no-random-sleep',
        );
        const after = readCertificate(certFile).serial;
        expectEqual(before === after, false, `the serial number ${after} is the old one`);
        return `serial ${after}`;
      });
      await runCase('issue for a host below the domain', async () => {
        await legoOfHost(['--domains', `www.${DOMAIN}`], 'run');
        await expectStatus(dig, `_acme-challenge.www.${DOMAIN}`, 'TXT', 'NXDOMAIN');
        return readCertificate(join(folder, 'lego/certificates', `www.${DOMAIN}.crt`)).names.join();
      });
      await runCase('refuse the key of a host for anything else', async () => {
        const failed = await legoOfHost(['--domains', `mail.${DOMAIN}`], 'run').then(
          () => undefined,
          (error: unknown) => String(error),
        );
        if (failed?.includes('records:create') !== true) throw new Error(`lego said: ${failed ?? 'nothing'}`);
        return 'lego shows the permission that is lacking';
      });
      await runCase('revoke it', async () => {
        await lego(['--domains', DOMAIN], 'revoke');
        return 'revoked';
      });
    } finally {
      await pebble.stop();
    }
  },
};

/** Creates a key that can prove control of a host to a certificate authority, and do nothing else. */
async function makeKey({ api }: Bench, host: string): Promise<string> {
  const made = await api.mustSend('POST', '/v2/keys', { template: 'certificates', host });
  return (made.body as { readonly key: { readonly key: string } }).key.key;
}

function createLego(bench: Bench, pebble: Pebble, key: string) {
  const { authority, dig, folder, gateway } = bench;
  return async (domains: readonly string[], command: string, ...args: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await runProgram(
      'lego',
      [
        ...['--server', pebble.directoryUrl, '--email', 'hostmaster@lego.example', '--accept-tos'],
        ...['--path', join(folder, 'lego'), '--dns', 'vultr'],
        // By default lego queries the zone's nameservers at port 53 by name. The service answers at once, so no wait
        // is needed.
        ...['--dns.resolvers', `127.0.0.1:${dig.port}`, '--dns.disable-cp'],
        ...domains,
        ...[command, ...args],
      ],
      {
        cwd: folder,
        env: gateway.environment({
          HOME: folder,
          VULTR_API_KEY: key,
          LEGO_CA_CERTIFICATES: authority.caFile,
        }),
      },
    );
    if (code !== 0)
      throw new Error(
        `lego ${command} exited with ${code}:\n${stdout}${stderr}\npebble said:\n${pebble.log()}`,
      );
  };
}

function readCertificate(file: string): { names: string[]; issuer: string; serial: string } {
  if (!existsSync(file)) throw new Error(`lego wrote no ${file}`);
  const certificate = new X509Certificate(readFileSync(file));
  const names = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''));
  return { names: names.sort(), issuer: certificate.issuer, serial: certificate.serialNumber };
}

/** Starts pebble with a test certificate and with the service's nameserver for all challenges. */
async function startPebble({ authority, dig, folder }: Bench): Promise<Pebble> {
  const home = join(folder, 'pebble');
  mkdirSync(home);
  const { certFile, keyFile } = await authority.issue('localhost', 'DNS:localhost,IP:127.0.0.1');
  const [port, managementPort, httpPort, tlsPort] = await Promise.all([1, 2, 3, 4].map(() => freePort()));
  const configFile = join(home, 'config.json');
  const pebble = {
    ...{ listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${managementPort}` },
    ...{ certificate: certFile, privateKey: keyFile, httpPort, tlsPort, ocspResponderURL: '' },
  };
  writeFileSync(configFile, JSON.stringify({ pebble }));
  const child = startProgram(
    'pebble',
    ['-config', configFile, '-dnsserver', `127.0.0.1:${dig.port}`, '-strict'],
    {
      cwd: home,
      // Validates immediately instead of after a random wait, and never skips validation.
      env: cleanEnvironment({ PEBBLE_VA_NOSLEEP: '1', PEBBLE_VA_ALWAYS_VALID: '0' }),
    },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!log.includes('ACME directory available')) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`pebble did not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    log: () => log,
    stop: () => stopProgram(child, STOP_GRACE_MS),
  };
}
