import type { Log } from '../base/log.ts';
import { makeFolder } from '../store/sqlite/open-store-files.ts';
import type { Config } from './config-settings.ts';
import { createDnssecKeyFile, dnssecKeyPath, readDnssecKeyFile } from './dnssec-key-file.ts';

/**
 * Returns the secrets that encrypt the keys of signed domains, the one that encrypts first; empty if there are none. The embedded
 * store has a file with them; the setting comes before it, and what was encrypted with the file's can still be opened. A database
 * that machines share has no such file, because each of them would make another.
 *
 * @throws CommandFailure or StoreOpenError with one sentence
 */
export function openDnssecSecrets(
  { database, data, dnssecSecret }: Pick<Config, 'database' | 'data' | 'dnssecSecret'>,
  log: Log,
): readonly string[] {
  if (database.kind === 'postgres') return dnssecSecret ?? [];
  makeFolder(data);
  const path = dnssecKeyPath(data);
  const kept = readDnssecKeyFile(path, log);
  if (dnssecSecret === null) return kept ?? createDnssecKeyFile(path, log);
  return [...new Set([...dnssecSecret, ...(kept ?? [])])];
}
