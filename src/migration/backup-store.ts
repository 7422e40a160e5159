import { copyContent, type CopyOptions } from './copy-content.ts';
import type { ContentSummary, MigrationSource, MigrationTarget } from './store-content.ts';

/**
 * Writes the content of the source to a new file, reads it back and compares it before the file gets its name. The source
 * is closed as soon as it has been read, because its engine keeps every overwritten row until then.
 */
export async function backupStore(
  source: MigrationSource,
  backup: MigrationTarget,
  options: CopyOptions,
): Promise<ContentSummary> {
  await backup.begin();
  const content = await copyContent(source, backup, options, () => source.close());
  await backup.commit(content);
  return content;
}
