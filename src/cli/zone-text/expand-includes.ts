/**
 * Inserts the files that a zone file includes (`$INCLUDE file [origin]`, RFC 1035 section 5.1). The service refuses
 * $INCLUDE, because it must not open files; the command line opens only files inside one folder.
 *
 * After an included file, the origin and the last owner are those from before it. A $TTL in it stays valid, as in BIND.
 */
import { dirname } from 'node:path';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import type { DomainName } from '../../dns/name.ts';
import { linesOf } from '../../dns/zone-file/read-zone-file.ts';
import {
  isProblem,
  readEntries,
  type EntryToken,
  type ZoneFileEntry,
} from '../../dns/zone-file/zone-file-entries.ts';
import { formatWrittenName, parseWrittenName, type WrittenName } from '../../dns/zone-file/written-name.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { uLabelsToAscii } from '../names/zone-names.ts';
import { openInside, readIncluded } from './open-inside.ts';

export interface ExpandedText {
  readonly text: string;
  /** The origin of each line of the text, which is counted from 1. */
  readonly places: readonly LinePlace[];
}

/** A line of one of several files, counted from 1. */
export interface LinePlace {
  /** Undefined for the first file. */
  readonly file: string | undefined;
  readonly line: number;
}

/** More than anybody nests; a file that includes itself ends here. */
const MAX_DEPTH = 16;

/** A zone with a file for each of its hosts stays below. */
const MAX_INCLUDES = 1000;

const INCLUDE = /^\$INCLUDE\b/im;

/**
 * Returns undefined if the text includes nothing.
 *
 * @param folder included files must be inside it
 * @throws CommandFailure if a file cannot be included
 */
export function expandIncludes(
  text: string,
  { path, folder, origin }: { readonly path: string; readonly folder: string; readonly origin: DomainName },
): ExpandedText | undefined {
  if (!INCLUDE.test(text)) return undefined;
  const expansion = new Expansion(folder);
  expansion.add(
    { path, file: undefined, depth: 0 },
    text,
    { name: origin },
    { name: undefined, isLost: false },
  );
  return {
    text: `${expansion.lines.join('\n')}\n`,
    places: [{ file: undefined, line: 0 }, ...expansion.places],
  };
}

interface OpenFile {
  readonly path: string;
  /** For messages; undefined for the first file. */
  readonly file: string | undefined;
  readonly depth: number;
}

/** The owner of a record that has none of its own. */
interface LastOwner {
  readonly name: WrittenName | undefined;
  /** True after an included file, whose last owner a reader of the text would take instead. */
  readonly isLost: boolean;
}

class Expansion {
  readonly lines: string[] = [];
  readonly places: LinePlace[] = [];
  private readonly folder: string;
  private octets = 0;
  private includes = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @param givenOwner the last owner before the file, for its first record if that has none of its own */
  add(at: OpenFile, text: string, givenOrigin: WrittenName, givenOwner: LastOwner): void {
    const lines = [...linesOf(text)];
    let [origin, owner] = [givenOrigin, givenOwner];
    let copied = 0;
    const copyUntil = (line: number): void => {
      for (; copied < line; copied++) this.push(at, copied + 1, lines[copied]);
    };
    for (const entry of readEntries(lines)) {
      if (isProblem(entry)) throw failure(at, entry.line, entry.message);
      const [first, argument] = entry.tokens;
      const directive = entry.isIndented ? '' : first.source.toUpperCase();
      copyUntil(entry.firstLine - 1);
      if (directive === '$INCLUDE') {
        this.include(at, entry, origin, owner);
        owner = { ...owner, isLost: true };
        copied = entry.lastLine;
      } else if (directive === '$ORIGIN') {
        origin = nameOf(argument, origin) ?? origin;
      } else if (!entry.isIndented && !directive.startsWith('$')) {
        owner = { name: nameOf(first, origin) ?? owner.name, isLost: false };
      } else if (entry.isIndented && owner.isLost) {
        if (owner.name === undefined) throw failure(at, first.line, NO_OWNER);
        this.push(at, entry.firstLine, `${formatWrittenName(owner.name)} ${lines[copied++]}`);
        owner = { ...owner, isLost: false };
      }
    }
    copyUntil(lines.length);
  }

  private include(at: OpenFile, { tokens }: ZoneFileEntry, origin: WrittenName, owner: LastOwner): void {
    const [{ line }] = tokens;
    const [name, ownOrigin, extra] = [tokens.at(1), tokens.at(2), tokens.at(3)];
    if (name === undefined || extra !== undefined) {
      throw failure(at, line, '$INCLUDE takes the name of a file and, if needed, an origin');
    }
    if (at.depth === MAX_DEPTH) throw failure(at, line, `$INCLUDE is nested more than ${MAX_DEPTH} times`);
    if (++this.includes > MAX_INCLUDES)
      throw failure(at, line, `more than ${MAX_INCLUDES} files are included`);
    const inside = nameOf(ownOrigin, origin) ?? origin;
    if (ownOrigin !== undefined && inside === origin && ownOrigin.source !== '@')
      checkOrigin(at, ownOrigin, origin);
    const found = openInside(fileNameOf(name), { folder: this.folder, beside: dirname(at.path) });
    if (!found.ok) throw failure(at, line, found.problem);
    const text = readIncluded(found.value.path, MAX_ZONE_BODY_BYTES - this.octets);
    this.push(at, line, `$ORIGIN ${formatWrittenName(inside)}`);
    this.add({ path: found.value.path, file: found.value.shown, depth: at.depth + 1 }, text, inside, owner);
    this.push(at, line, `$ORIGIN ${formatWrittenName(origin)}`);
  }

  private push({ file }: OpenFile, line: number, text: string): void {
    this.octets += Buffer.byteLength(text) + 1;
    if (this.octets > MAX_ZONE_BODY_BYTES) {
      const sentence = `with its included files, the zone is larger than ${MAX_ZONE_BODY_BYTES} bytes`;
      throw new CommandFailure(exitCodes.usage, sentence);
    }
    this.lines.push(text);
    this.places.push({ file, line });
  }
}

/** BIND: no current owner name. */
const NO_OWNER = 'the record has no owner, and none is before the $INCLUDE';

function nameOf(token: EntryToken | undefined, origin: WrittenName): WrittenName | undefined {
  if (token === undefined || token.isQuoted) return undefined;
  const name = parseWrittenName(token.source, origin, uLabelsToAscii);
  return name.ok ? name.value : undefined;
}

function checkOrigin(at: OpenFile, { source, line }: EntryToken, origin: WrittenName): void {
  const name = parseWrittenName(source, origin, uLabelsToAscii);
  if (!name.ok) throw failure(at, line, name.problem);
}

function fileNameOf({ source, isQuoted }: EntryToken): string {
  const text = isQuoted ? source.slice(1, -1) : source;
  return text.replace(/\\(.)/g, '$1');
}

function failure({ path, file }: OpenFile, line: number, problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${file ?? path}, line ${line}: ${problem}`);
}
