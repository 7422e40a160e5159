import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { codeOf, unreadable } from '../failures/file-failures.ts';
import { decodeUtf8 } from '../input/open-input.ts';

export interface InsideFile {
  /** Without symbolic links. */
  readonly path: string;
  /** For messages: relative to the folder. */
  readonly shown: string;
}

/**
 * Finds a file beside another one or in the folder, as the nameservers that write such zone files do. A zone file from
 * elsewhere must not make its reader publish a private file: neither `..` nor symbolic links may leave the folder.
 */
export function openInside(
  name: string,
  { folder, beside }: { readonly folder: string; readonly beside: string },
): Parsed<InsideFile> {
  const root = realpathSync(folder);
  const candidates = isAbsolute(name) ? [name] : [resolve(beside, name), resolve(folder, name)];
  const allowed = candidates.filter((path) => isInside(path, root) || isInside(path, resolve(folder)));
  if (allowed.length === 0) return malformed(`$INCLUDE ${name} leads out of the folder ${folder}`);
  let problem = '';
  for (const candidate of allowed) {
    try {
      const path = realpathSync(candidate);
      if (!isInside(path, root)) return malformed(`$INCLUDE ${name} leads out of the folder ${folder}`);
      return parsed({ path, shown: join(folder, relative(root, path)) });
    } catch (error) {
      problem = codeOf(error);
    }
  }
  return malformed(`$INCLUDE ${name} cannot be read (${problem})`);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** @throws CommandFailure if it is not a regular file of at most `maxBytes` in UTF-8 */
export function readIncluded(path: string, maxBytes: number): string {
  let descriptor: number | undefined;
  try {
    // A link that has taken the place of the file is not followed, and a pipe does not block.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new CommandFailure(exitCodes.usage, `${path} is not a file`);
    if (found.size > maxBytes) {
      throw new CommandFailure(exitCodes.usage, `${path} is larger than the ${maxBytes} bytes that are left`);
    }
    return decodeUtf8(path, readFileSync(descriptor));
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreadable(path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
