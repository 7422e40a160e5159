import { copyContent, describeDifference, summarise, type TransferWatch } from './copy-content.ts';
import { describeHoldings } from './holdings.ts';
import {
  TransferError,
  type ContentSummary,
  type TransferSource,
  type TransferTarget,
} from './migration-ends.ts';

export interface MoveResult {
  /** `equal`: an earlier move had done it already. */
  readonly outcome: 'moved' | 'equal';
  readonly content: ContentSummary;
}

/**
 * Copies a store to an empty place and checks that both hold the same; where that is so already, nothing is done.
 *
 * @throws TransferError when the target holds something else.
 */
export async function moveStore(
  source: TransferSource,
  target: TransferTarget,
  watch: TransferWatch,
): Promise<MoveResult> {
  const { existing, place } = target;
  const holdings = existing === null ? undefined : await describeHoldings(existing);
  if (existing !== null && holdings !== undefined) {
    const difference = await compare(source, existing, watch);
    if (typeof difference !== 'string') return { outcome: 'equal', content: difference };
    throw new TransferError(
      `${place} is not empty, and does not hold what is to be moved (${difference}): it has ${holdings}`,
    );
  }
  await target.begin();
  const content = await copyContent(source, target, watch);
  await target.commit(content);
  return { outcome: 'moved', content };
}

/** The content when both hold the same, else what differs. */
async function compare(
  source: TransferSource,
  existing: TransferSource,
  watch: TransferWatch,
): Promise<ContentSummary | string> {
  const there = await summarise(existing, 'comparing', watch);
  const here = await summarise(source, 'comparing', watch);
  return describeDifference(here, there) ?? here;
}
