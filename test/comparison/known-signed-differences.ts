// Known differences between BIND, Knot and NSD in signed zones. They are looked at before `known-differences.ts`, which
// apply as well.

import { isLike, type Case, type KnownDifference } from './known-differences.ts';

export const knownSignedDifferences: readonly KnownDifference[] = [
  {
    title:
      'NSEC at a delegation: BIND answers with the record of the parent, Knot and NSD refer to the child',
    reference: 'RFC 4035 section 3.1.4.1 speaks only of DS',
    applies: ({ query, theirs, aspect }) =>
      query.type === 'NSEC' &&
      theirs.get('bind')?.[aspect] !== theirs.get('knot')?.[aspect] &&
      isReferral(theirs),
    isRight: (facts) => isLike(facts, 'bind', 'knot'),
  },
  {
    title:
      'a query for NSEC3, or for NSEC in a zone without it, follows an alias like any other; NSD does not',
    reference: 'RFC 5155 section 3 and RFC 4034 section 2.5: neither stands beside a CNAME there',
    applies: ({ query, zone, theirs, aspect }) =>
      (query.type === 'NSEC3' || (query.type === 'NSEC' && zone.denial === 'nsec3')) &&
      theirs.get('nsd')?.[aspect] !== theirs.get('bind')?.[aspect] &&
      theirs.get('nsd')?.answer !== theirs.get('bind')?.answer,
    isRight: (facts) => isLike(facts, 'bind', 'knot'),
  },
  {
    title:
      'the next closer name of a wildcard answer is denied; Knot does not if the name begins with an asterisk, or for NSEC',
    reference: 'RFC 4035 section 3.1.3.3',
    applies: (facts) => (facts.query.type === 'NSEC' || hasAsterisk(facts)) && lacksProofs(facts, 'knot'),
    isRight: (facts) => isLike(facts, 'bind'),
  },
  {
    title:
      'a proof denies what the answer says and no more; NSD denies names above a DNAME target or wildcard instead',
    reference: 'RFC 4035 section 3.1.3 and RFC 5155 section 7.2',
    applies: ({ aspect, theirs }) =>
      aspect === 'authority' && theirs.get('bind')?.authority === theirs.get('knot')?.authority,
    isRight: (facts) => isLike(facts, 'bind'),
  },
];

function isReferral(theirs: Case['theirs']): boolean {
  return theirs.get('knot')?.aa === 'false';
}

function hasAsterisk({ query, whole }: Case): boolean {
  return [query.name, ...whole.answer.map(({ owner }) => owner)].some((name) => name.startsWith('*.'));
}

/** True if a server's authority section lacks sets that BIND's has, and has no others. */
function lacksProofs({ aspect, theirs }: Case, name: string): boolean {
  const [all, some] = [linesOf(theirs.get('bind')?.authority), linesOf(theirs.get(name)?.authority)];
  return aspect === 'authority' && some.length < all.length && some.every((line) => all.includes(line));
}

function linesOf(section = ''): string[] {
  return section.split('\n').filter((line) => line !== '');
}
