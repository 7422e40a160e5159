import { pageTag, WITHHELD_MARK } from '../contract/entity-tags.ts';
import type { ReadSuccess } from '../model/result.ts';

/** The result with another entity tag, because it says that the domain is withheld. */
export function withMark<T>(result: ReadSuccess<T>): ReadSuccess<T> {
  const { revision } = result;
  return revision === undefined ? result : { ...result, revision: pageTag(revision, WITHHELD_MARK) };
}
