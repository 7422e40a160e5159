import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findHealth } from '../harness/http2-client.ts';
import { makeFolder, startService } from '../harness/service.ts';
import { makeTestCertificate, type TestCertificate } from '../harness/test-certificate.ts';

/* The steps of docs/operate/one-machine.md, in a folder that takes the place of a new machine's `/etc`. */

const DOCUMENT = new URL('../../docs/operate/one-machine.md', import.meta.url);

/** As certbot keeps it: links, which it lets point to other files with each renewal. */
class Lineage {
  private readonly etc: string;
  private renewals = 0;

  constructor(etc: string) {
    this.etc = etc;
    for (const part of ['live', 'archive']) mkdirSync(this.place(part), { recursive: true });
  }

  renew({ certificate, key }: TestCertificate): void {
    this.renewals++;
    for (const [name, content] of [
      ['fullchain', certificate],
      ['privkey', key],
    ]) {
      const path = this.place('archive', `${name}${this.renewals}.pem`);
      writeFileSync(path, content, { mode: 0o600 });
      const link = this.place('live', `${name}.pem`);
      if (this.renewals > 1) unlinkSync(link);
      symlinkSync(path, link);
    }
  }

  place(part: string, file = ''): string {
    return join(this.etc, 'letsencrypt', part, 'dns.example.net', file);
  }
}

/** The block of the document that has the hook, for this user and folder. */
function readSteps(etc: string): string {
  const blocks = readFileSync(DOCUMENT, 'utf8').split(/^```(?:sh)?\n/m);
  const steps = blocks.find((block) => block.includes('certbot certonly'));
  expect(steps).toBeDefined();
  const { uid, gid } = userInfo();
  return steps!
    .replaceAll('/etc/', `${etc}/`)
    .replaceAll(/-o root -g zonewright/g, `-o ${uid} -g ${gid}`)
    .replaceAll(/^certbot certonly /gm, ': certbot certonly ');
}

test('the documented hook gives copies of the files of certbot to the service, also after a renewal', async () => {
  const etc = makeFolder();
  // Debian's package of certbot makes this folder, and none in it.
  mkdirSync(join(etc, 'letsencrypt'));
  mkdirSync(join(etc, 'zonewright'));
  const first = makeTestCertificate();
  const lineage = new Lineage(etc);
  lineage.renew(first);
  execFileSync('sh', ['-euc', readSteps(etc)]);
  const [certificate, key] = ['certificate', 'key'].map((file) => join(etc, 'zonewright/tls', `${file}.pem`));
  for (const path of [certificate, key]) expect(statSync(path).mode & 0o777).toBe(0o640);
  const settings = {
    ZONEWRIGHT_HTTPS: '127.0.0.1:0',
    ZONEWRIGHT_TLS_CERTIFICATE: certificate,
    ZONEWRIGHT_TLS_KEY: key,
  };
  const service = await startService({ settings });
  onTestFinished(() => service.stop().then(() => undefined));
  expect(await findHealth(service, first.certificate)).toBe(200);

  const next = makeTestCertificate();
  lineage.renew(next);
  const env = { ...process.env, RENEWED_LINEAGE: lineage.place('live'), RENEWED_DOMAINS: 'dns.example.net' };
  execFileSync(join(etc, 'letsencrypt/renewal-hooks/deploy/zonewright'), { env });
  await expect.poll(() => findHealth(service, next.certificate).catch(() => undefined)).toBe(200);
});
