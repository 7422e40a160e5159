import type { OpenBackup } from './backup-file.ts';
import { copyContent, summarise, type CopyOptions } from './copy-content.ts';
import { describeHoldings } from './describe-holdings.ts';
import { withRaisedSerials } from './raised-serials.ts';
import { MigrationError, type ContentSummary, type MigrationTarget } from './store-content.ts';

/**
 * Writes a backup to an empty place, with later serials. The file is checked before anything is written.
 *
 * @throws MigrationError if the target is not empty or the backup is damaged
 */
export async function restoreStore(
  backup: OpenBackup,
  target: MigrationTarget,
  nowMs: number,
  options: CopyOptions,
): Promise<ContentSummary> {
  const holdings = target.existing === null ? undefined : await describeHoldings(target.existing);
  if (holdings !== undefined) {
    throw new MigrationError(
      `${target.place} is not empty: it has ${holdings}; a backup can only be restored into an empty store`,
    );
  }
  const { hash } = await summarise(backup, 'checking', options);
  if (hash !== backup.hash) {
    throw new MigrationError(
      `${backup.place} is damaged: its content has the hash ${hash}, not ${backup.hash}`,
    );
  }
  await target.begin();
  const { takenAtMs } = backup;
  const content = await copyContent(withRaisedSerials(backup, { takenAtMs, nowMs }), target, options);
  await target.commit(content);
  return content;
}
