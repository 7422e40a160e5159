import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './service.ts';
import { makeTestCertificate, type TestCertificate } from './test-certificate.ts';

export interface TlsFiles {
  /** For a service that uses them. HTTPS gets any free port. */
  readonly settings: Readonly<Record<string, string>>;
  readonly certificatePath: string;
  /** PEM; clients that trust it accept the service. */
  readonly certificate: string;
  /** Replaces the content of both files. */
  replace(pair: TestCertificate): void;
}

export function makeTlsFiles(pair = makeTestCertificate()): TlsFiles {
  const folder = makeFolder();
  const [certificatePath, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const replace = ({ certificate, key }: TestCertificate): void => {
    writeFileSync(certificatePath, certificate);
    writeFileSync(keyPath, key);
  };
  replace(pair);
  const settings = {
    ZONEWRIGHT_HTTPS: '127.0.0.1:0',
    ZONEWRIGHT_TLS_CERTIFICATE: certificatePath,
    ZONEWRIGHT_TLS_KEY: keyPath,
  };
  return { settings, certificatePath, certificate: pair.certificate, replace };
}
