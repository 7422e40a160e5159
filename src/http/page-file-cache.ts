import { createHash } from 'node:crypto';
import { promises as files } from 'node:fs';

export interface PageFile {
  /** Shared by all answers, so that slow clients of a large file do not hold a copy each. */
  readonly content: Buffer;
  /** The entity tag, with its quotes. */
  readonly etag: string;
}

/**
 * Returns a function that loads a file of the folder when it is first requested and keeps it until the process ends. A
 * file that cannot be read is tried again at the next request.
 */
export function createPageFileCache(folder: URL): (name: string) => Promise<PageFile> {
  const loads = new Map<string, Promise<PageFile>>();
  return (name) => {
    const earlier = loads.get(name);
    if (earlier !== undefined) return earlier;
    const load = loadPageFile(new URL(name, folder));
    loads.set(name, load);
    load.catch(() => loads.delete(name));
    return load;
  };
}

async function loadPageFile(url: URL): Promise<PageFile> {
  const content = await files.readFile(url);
  return { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
}
