import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { TlsFilePaths } from '../http/tls-files.ts';
import type { Config } from './config-settings.ts';

/** Returns the files of HTTPS; undefined without TLS. */
export function tlsPathsOf({ https, tlsCertificate, tlsKey }: TlsConfig): TlsFilePaths | undefined {
  if (https === null || tlsCertificate === null || tlsKey === null) return undefined;
  return { certificate: tlsCertificate, key: tlsKey };
}

type TlsConfig = Pick<Config, 'https' | 'tlsCertificate' | 'tlsKey'>;

/**
 * Refuses to start a service with files that cannot be used, while its operator is there to read why. A process that only
 * answers DNS starts without them, and so does one that takes over from another later (`open-https.ts`).
 *
 * @throws CommandFailure with one sentence for the operator
 */
export async function checkTlsFiles(config: TlsConfig & Pick<Config, 'role'>): Promise<void> {
  const paths = tlsPathsOf(config);
  if (paths === undefined || config.role === 'nameserver') return;
  const { readTlsPair } = await import('../http/tls-files.ts');
  const pair = await readTlsPair(paths);
  if (!pair.ok) throw new CommandFailure(exitCodes.failed, `HTTPS cannot start: ${pair.problem}`);
}
