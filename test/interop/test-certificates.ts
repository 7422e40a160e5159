// Creates a certificate authority for one test run, and certificates signed by it. The keys never leave the temporary
// folder.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

export interface TestAuthority {
  readonly caFile: string;
  /** @param altNames in openssl's format: `DNS:localhost,IP:127.0.0.1` */
  issue(name: string, altNames: string): Promise<TestCertificate>;
}

/** Creates the authority in `folder` with openssl. */
export async function createTestAuthority(folder: string): Promise<TestAuthority> {
  const caFile = join(folder, 'ca.pem');
  const caKeyFile = join(folder, 'ca.key');
  await openssl([
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', '/CN=Zonewright interoperability tests', '-keyout', caKeyFile, '-out', caFile],
  ]);
  return {
    caFile,
    issue: async (name, altNames) => {
      const [certFile, keyFile, csrFile, extFile] = ['pem', 'key', 'csr', 'ext'].map((suffix) =>
        join(folder, `${name}.${suffix}`),
      ) as [string, string, string, string];
      writeFileSync(extFile, `subjectAltName=${altNames}\nextendedKeyUsage=serverAuth\n`);
      await openssl([
        ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', `/CN=${name}`, '-keyout', keyFile, '-out', csrFile],
      ]);
      await openssl([
        ...['x509', '-req', '-in', csrFile, '-CA', caFile, '-CAkey', caKeyFile, '-CAcreateserial'],
        ...['-days', '2', '-extfile', extFile, '-out', certFile],
      ]);
      return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    },
  };
}

async function openssl(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram('openssl', args);
  if (code !== 0) throw new Error(`openssl ${args.join(' ')} failed: ${stderr}`);
}
