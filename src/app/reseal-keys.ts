import type { Log } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import { resealOneTimeCodes } from '../operations/reseal-one-time-codes.ts';
import { resealZoneKeys, type ResealReport } from '../operations/reseal-zone-keys.ts';
import { openPostgresSealedKeys } from '../store/postgres/postgres-sealed-keys.ts';
import type { SealedKeys } from '../store/sealed-keys.ts';
import { lockFolder } from '../store/sqlite/open-store-files.ts';
import { openSqliteSealedKeys } from '../store/sqlite/sqlite-sealed-keys.ts';
import type { Config } from './config-settings.ts';
import {
  addDnssecSecret,
  createDnssecKeyFile,
  dnssecKeyPath,
  keepFirstDnssecSecret,
  readDnssecKeyFile,
} from './dnssec-key-file.ts';

/**
 * Exchanges the secret that encrypts the keys of signed domains and the secrets of one-time codes:
 *
 *     setting     its first secret seals what the others have sealed; services that have all of them may run
 *     key file    new secret before the old ones ─▶ seal everything with it ─▶ old ones into a file of their own
 *
 * At every moment, some file or setting has the secret of each of them.
 */
export interface Resealed extends ResealedSecrets {
  /** The file with the former secrets of the key file, which older backups need; undefined: there is none. */
  readonly formerFile: string | undefined;
}

interface ResealedSecrets extends ResealReport {
  /** Secrets of one-time codes that are now sealed with the first secret. */
  readonly resealedCodes: number;
}

type ResealConfig = Pick<Config, 'database' | 'data' | 'dnssecSecret'>;

/** @throws CommandFailure, StoreOpenError or StoreUnavailable with one sentence */
export async function resealKeys(
  { database, data, dnssecSecret }: ResealConfig,
  log: Log,
  onProgress: (resealed: number) => void,
): Promise<Resealed> {
  if (database.kind === 'postgres') {
    const secrets = dnssecSecret ?? refuseWithoutSecret();
    return {
      ...(await reseal(await openPostgresSealedKeys(database.address), secrets)),
      formerFile: undefined,
    };
  }
  const path = dnssecKeyPath(data);
  const kept = readDnssecKeyFile(path, log) ?? [];
  if (dnssecSecret !== null) {
    const secrets = [...new Set([...dnssecSecret, ...kept])];
    return { ...(await reseal(openSqliteSealedKeys(data), secrets)), formerFile: undefined };
  }
  // A service that runs has read the file, and could not open what a new secret has sealed.
  const lock = lockFolder(data);
  try {
    const store = openSqliteSealedKeys(data);
    const secrets = openForReseal(path, kept, log);
    const report = await reseal(store, secrets);
    const isDone = secrets.length > 1 && report.lost.size === 0;
    return { ...report, formerFile: isDone ? keepFirstDnssecSecret(path, secrets) : undefined };
  } finally {
    lock.release();
  }

  async function reseal(store: SealedKeys, secrets: readonly string[]): Promise<ResealedSecrets> {
    try {
      const { resealed, lost } = await resealZoneKeys(store, openKeySecrets(secrets), onProgress);
      const codes = await resealOneTimeCodes(store, openKeySecrets(secrets, 'one-time codes'));
      return { resealed, resealedCodes: codes.resealed, lost: addCounts(lost, codes.lost) };
    } finally {
      await store.close();
    }
  }
}

function addCounts(one: ResealReport['lost'], other: ResealReport['lost']): ResealReport['lost'] {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return new Map(Array.from(ids, (id) => [id, (one.get(id) ?? 0) + (other.get(id) ?? 0)]));
}

/** Several secrets: an earlier call was interrupted, or the operator has put a new one there. */
function openForReseal(path: string, kept: readonly string[], log: Log): readonly string[] {
  if (kept.length === 0) return createDnssecKeyFile(path, log);
  return kept.length === 1 ? addDnssecSecret(path, kept) : kept;
}

function refuseWithoutSecret(): never {
  throw new CommandFailure(
    exitCodes.usage,
    'the secrets of the DNSSEC keys are not set: give the new one before the old one in ZONEWRIGHT_DNSSEC_SECRET, as for the services',
  );
}
