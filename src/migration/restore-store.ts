import type { OpenBackup } from './sqlite-migration-backup.ts';
import { copyContent, summarise, type TransferWatch } from './copy-content.ts';
import { describeHoldings } from './holdings.ts';
import { withRaisedSerials } from './raised-serials.ts';
import { TransferError, type ContentSummary, type TransferTarget } from './migration-ends.ts';

/**
 * Puts a backup into an empty place, with later serials. The file is checked before anything is written.
 *
 * @throws TransferError when the target holds anything, or the backup is damaged.
 */
export async function restoreStore(
  backup: OpenBackup,
  target: TransferTarget,
  nowMs: number,
  watch: TransferWatch,
): Promise<ContentSummary> {
  const holdings = target.existing === null ? undefined : await describeHoldings(target.existing);
  if (holdings !== undefined) {
    throw new TransferError(
      `${target.place} is not empty: it has ${holdings}; a backup is restored into an empty store only`,
    );
  }
  const { hash } = await summarise(backup, 'checking', watch);
  if (hash !== backup.hash) {
    throw new TransferError(
      `${backup.place} is damaged: its content has the hash ${hash}, not ${backup.hash}`,
    );
  }
  await target.begin();
  const { takenAtMs } = backup;
  const content = await copyContent(withRaisedSerials(backup, { takenAtMs, nowMs }), target, watch);
  await target.commit(content);
  return content;
}
