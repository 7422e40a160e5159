/**
 * The export of an account as a tar archive, written as the parts are read:
 *
 *     parts ─▶ lines of JSON ─▶ files of up to a megabyte ┐
 *           ─▶ zone files, whose sizes are known          ├─▶ tar ─▶ (gzip)
 *           ─▶ single objects                             ┘
 *
 * A list that is longer than a file has several, numbered from 1: joined, they are the list.
 */
import { TAR_END_BYTES, tarHeader, tarPadding } from '../base/tar.ts';
import { ARCHIVE_GUIDE } from '../contract/archive-guide.ts';
import { formatExportedDomain } from '../contract/format-exported-domain.ts';
import { formatAccount, formatKey } from '../contract/format-account.ts';
import { formatChange, formatDeletedDomain } from '../contract/format-history.ts';
import { formatInvitation, formatMember } from '../contract/format-member.ts';
import { formatLimitsReply } from '../contract/format-limits.ts';
import { formatRecord } from '../contract/format-record.ts';
import { formatTrailEntry } from '../contract/format-trail.ts';
import { formatZoneKeys } from '../contract/format-zone-key.ts';
import type { AccountPart } from '../operations/account-parts.ts';
import type { ExportedAccount } from '../operations/export-account.ts';

/** All files are below it, so that an archive is unpacked into one folder. */
const FOLDER = 'zonewright-account';

/** A longer list begins another file. Its text is in memory until its size is known. */
const LIST_FILE_CHARACTERS = 1024 * 1024;

type Octets = AsyncGenerator<Uint8Array, void, undefined>;

type Files = Generator<Uint8Array, void, undefined>;

type ListPart = Extract<AccountPart, { readonly rows: unknown }>;

export async function* archiveAccount({ parts, atMs }: ExportedAccount): Octets {
  const archive = new Archive(Math.floor(atMs / 1000));
  yield* archive.file('README.txt', ARCHIVE_GUIDE);
  for await (const part of parts) yield* addPart(archive, part);
  yield* archive.endList();
  yield new Uint8Array(TAR_END_BYTES);
}

async function* addPart(archive: Archive, part: AccountPart): Octets {
  switch (part.kind) {
    case 'account':
      yield* archive.file('account.json', `${formatAccount(part.account)}\n`);
      yield* archive.file('limits.json', `${formatLimitsReply(part.overview)}\n`);
      return;
    case 'domain': {
      yield* archive.endList();
      archive.domain = part.domain.name;
      const text = formatExportedDomain(part.domain, formatZoneKeys(part.keys));
      yield* archive.file('domain.json', `${text}\n`);
      return;
    }
    case 'zoneFile':
      yield* archive.endList();
      yield* archive.longFile('records.zone', part.sizeBytes, part.text);
      return;
    default:
      yield* archive.addLines(listNames[part.kind], linesOf(part));
  }
}

const listNames = {
  keys: 'keys',
  users: 'users',
  invitations: 'invitations',
  trail: 'trail',
  deletedDomains: 'deleted_domains',
  records: 'records',
  history: 'history',
} as const satisfies Record<ListPart['kind'], string>;

function* linesOf(part: ListPart): Generator<string, void, undefined> {
  switch (part.kind) {
    case 'keys':
      for (const row of part.rows) yield formatKey(row);
      return;
    case 'users':
      for (const row of part.rows) yield formatMember(row);
      return;
    case 'invitations':
      for (const row of part.rows) yield formatInvitation(row);
      return;
    case 'trail':
      for (const row of part.rows) yield formatTrailEntry(row);
      return;
    case 'deletedDomains':
      for (const row of part.rows) yield formatDeletedDomain(row);
      return;
    case 'records':
      for (const row of part.rows) yield formatRecord(row);
      return;
    case 'history':
      for (const row of part.rows) yield formatChange(row);
  }
}

/** The files of an archive, one after the other; of a list that is being written, the file that is not full yet. */
class Archive {
  /** The domain to which the next files belong; undefined: the account as a whole. */
  domain: string | undefined;
  private readonly atSeconds: number;
  private list: string | undefined;
  private lines: string[] = [];
  private characters = 0;
  /** Files of the list that are written. */
  private files = 0;

  constructor(atSeconds: number) {
    this.atSeconds = atSeconds;
  }

  *file(name: string, text: string): Files {
    const content = Buffer.from(text);
    yield this.header(name, content.length);
    yield content;
    yield tarPadding(content.length);
  }

  async *longFile(name: string, sizeBytes: number, text: AsyncIterable<string>): Octets {
    yield this.header(name, sizeBytes);
    for await (const piece of text) yield Buffer.from(piece);
    yield tarPadding(sizeBytes);
  }

  /** Adds lines to a list, and returns the files that are full. The same list of another domain begins after `endList`. */
  *addLines(list: string, lines: Iterable<string>): Files {
    if (this.list !== list) yield* this.endList();
    this.list = list;
    for (const line of lines) {
      const isFull = this.characters + line.length > LIST_FILE_CHARACTERS && this.lines.length > 0;
      if (isFull) yield* this.writeLines();
      this.lines.push(line);
      this.characters += line.length;
    }
  }

  *endList(): Files {
    if (this.lines.length > 0) yield* this.writeLines();
    this.list = undefined;
    this.files = 0;
  }

  private *writeLines(): Files {
    const { list = '', lines } = this;
    this.files++;
    this.lines = [];
    this.characters = 0;
    yield* this.file(`${list}-${this.files}.jsonl`, `${lines.join('\n')}\n`);
  }

  private header(name: string, sizeBytes: number): Uint8Array {
    const path = this.domain === undefined ? name : `domains/${this.domain}/${name}`;
    return tarHeader({ path: `${FOLDER}/${path}`, sizeBytes, modifiedSeconds: this.atSeconds });
  }
}
