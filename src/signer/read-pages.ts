import { nextTurn } from '../base/steps.ts';

/**
 * Reads a long list page by page, up to a page that is not full. Pages of the embedded store are read on this thread, which
 * does other work between them.
 *
 * @param read reads the page after a row; undefined: the first page
 */
export async function* readPages<T>(
  pageRows: number,
  read: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[], void, undefined> {
  for (let last: T | undefined; ;) {
    const page = await read(last);
    yield page;
    if (page.length < pageRows) return;
    last = page[page.length - 1];
    await nextTurn();
  }
}
