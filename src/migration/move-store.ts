import { copyContent, describeDifference, summarise, type CopyOptions } from './copy-content.ts';
import { describeHoldings } from './describe-holdings.ts';
import {
  MigrationError,
  type ContentSummary,
  type StoreContent,
  type MigrationTarget,
} from './store-content.ts';

export interface MoveResult {
  /** `equal`: the target held the same content already. */
  readonly outcome: 'moved' | 'equal';
  readonly content: ContentSummary;
}

/**
 * Copies a store to an empty place and checks that both are equal. Does nothing if they are equal already.
 *
 * @throws MigrationError if the target holds other content
 */
export async function moveStore(
  source: StoreContent,
  target: MigrationTarget,
  options: CopyOptions,
): Promise<MoveResult> {
  const { existing, place } = target;
  const holdings = existing === null ? undefined : await describeHoldings(existing);
  if (existing !== null && holdings !== undefined) {
    const difference = await compare(source, existing, options);
    if (typeof difference !== 'string') return { outcome: 'equal', content: difference };
    throw new MigrationError(
      `${place} is not empty and differs from the source (${difference}): it has ${holdings}`,
    );
  }
  await target.begin();
  const content = await copyContent(source, target, options);
  await target.commit(content);
  return { outcome: 'moved', content };
}

/** Returns the content if both are equal, else a description of the difference. */
async function compare(
  source: StoreContent,
  existing: StoreContent,
  options: CopyOptions,
): Promise<ContentSummary | string> {
  const there = await summarise(existing, 'comparing', options);
  const here = await summarise(source, 'comparing', options);
  return describeDifference(here, there) ?? here;
}
