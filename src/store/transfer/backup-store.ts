import { copyContent, type TransferWatch } from './copy-content.ts';
import type { ContentSummary, TransferSource, TransferTarget } from './transfer-ends.ts';

/** Writes what the source holds at this moment into a new file, read back and compared before it is put in place. */
export async function backupStore(
  source: TransferSource,
  backup: TransferTarget,
  watch: TransferWatch,
): Promise<ContentSummary> {
  await backup.begin();
  const content = await copyContent(source, backup, watch);
  await backup.commit(content);
  return content;
}
