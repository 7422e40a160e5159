import { copyContent, type TransferWatch } from './copy-content.ts';
import type { ContentSummary, OpenTransferSource, TransferTarget } from './migration-ends.ts';

/**
 * Writes what the source holds at this moment into a new file, read back and compared before it is put in place. The
 * source is closed as soon as it is read: until then its engine keeps all that is replaced meanwhile.
 */
export async function backupStore(
  source: OpenTransferSource,
  backup: TransferTarget,
  watch: TransferWatch,
): Promise<ContentSummary> {
  await backup.begin();
  const content = await copyContent(source, backup, watch, () => source.close());
  await backup.commit(content);
  return content;
}
