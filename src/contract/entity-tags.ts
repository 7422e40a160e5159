// Entity tags of answers, and the preconditions of requests (RFC 9110 sections 8.8.3 and 13.1; contract rules 42, 43).
// A tag is a domain's revision; a page of a list has the page's mark in it besides.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** Longest list that makes sense: some revisions, each under 30 characters. */
const MAX_TAGS = 20;

const TAG = /^[ \t,]*(?:(W\/|)("[\x21\x23-\x7e\x80-\xff]*"))[ \t]*(?=,|$)/;

/** The tag of a page of a list: the revision, and a mark that tells the page from others. */
export function pageTag(revision: string, pageMark: string): string {
  return pageMark === '' ? revision : `${revision.slice(0, -1)}.${pageMark}"`;
}

/**
 * If-Match → the revisions that it names, compared strongly: weak tags match nothing, and are left out. `*` stands for
 * itself. Undefined: there is no condition.
 */
export function parseIfMatch(header: string | undefined): Parsed<readonly string[] | undefined> {
  return parseCondition('If-Match', header, ({ isWeak }) => !isWeak);
}

/** If-None-Match of a write → the revisions that it names, compared weakly: RFC 9110 section 13.1.2. */
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

/** Whether an answer with that tag is known to the client (If-None-Match of a GET, compared weakly). Malformed: it is not. */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return parseTags(header)?.some((known) => known.tag === tag) ?? false;
}

interface EntityTag {
  readonly tag: string;
  readonly isWeak: boolean;
}

/** Undefined: malformed. */
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

/** What was read on any page may be written back. */
function withoutPageMark(tag: string): string {
  return tag.replace(/\.[^."]*"$/, '"');
}
