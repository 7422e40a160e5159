// Entity tags of answers and preconditions of requests (RFC 9110 sections 8.8.3 and 13.1; contract rules 42, 43). A tag is
// a domain's revision; the tag of a list page also contains the mark of the page.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** More than any client needs: each tag is a revision of the same domain. */
const MAX_TAGS = 20;

const TAG = /^[ \t,]*(?:(W\/|)("[\x21\x23-\x7e\x80-\xff]*"))[ \t]*(?=,|$)/;

/** Returns the tag of a list page: the revision, plus a mark that identifies the page. */
export function pageTag(revision: string, pageMark: string): string {
  return pageMark === '' ? revision : `${revision.slice(0, -1)}.${pageMark}"`;
}

/** The mark of answers that say that a domain is withheld, which changes without its revision. */
export const WITHHELD_MARK = 'withheld';

/**
 * Parses If-Match to the revisions that it names. The comparison is strong, so weak tags match nothing and are dropped. `*`
 * is returned as it is. Returns undefined if the header is absent.
 */
export function parseIfMatch(header: string | undefined): Parsed<readonly string[] | undefined> {
  return parseCondition('If-Match', header, ({ isWeak }) => !isWeak);
}

/** Parses If-None-Match of a write to the revisions that it names. The comparison is weak (RFC 9110 section 13.1.2). */
export function parseIfNoneMatch(header: string | undefined): Parsed<readonly string[] | undefined> {
  return parseCondition('If-None-Match', header, () => true);
}

function parseCondition(
  name: string,
  header: string | undefined,
  counts: (tag: EntityTag) => boolean,
): Parsed<readonly string[] | undefined> {
  if (header === undefined) return parsed(undefined);
  if (header.trim() === '*') return parsed(['*']);
  const tags = parseTags(header);
  if (tags === undefined) {
    return malformed(`${name} must be * or at most ${MAX_TAGS} entity tags in double quotes`);
  }
  return parsed(tags.filter(counts).map(({ tag }) => withoutPageMark(tag)));
}

/**
 * Returns true if the client has the answer with this tag already (If-None-Match of a GET, weak comparison). A malformed
 * header is ignored.
 */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return parseTags(header)?.some((known) => known.tag === tag) ?? false;
}

interface EntityTag {
  readonly tag: string;
  readonly isWeak: boolean;
}

/** Returns undefined if the header is malformed. */
function parseTags(header: string): readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  let rest = header;
  while (!/^[ \t,]*$/.test(rest)) {
    const match = TAG.exec(rest);
    if (match === null || tags.length === MAX_TAGS) return undefined;
    tags.push({ tag: match[2], isWeak: match[1] !== '' });
    rest = rest.slice(match[0].length);
  }
  return tags.length === 0 ? undefined : tags;
}

/** A precondition may use the tag of any page that was read. */
function withoutPageMark(tag: string): string {
  return tag.replace(/\.[^."]*"$/, '"');
}
