// Known differences between BIND, Knot and NSD in signed zones. They are looked at before `known-differences.ts`, which
// apply as well.

import {
  chainOf,
  hasDname,
  isLike,
  isShuffled,
  type Case,
  type KnownDifference,
} from './known-differences.ts';

export const knownSignedDifferences: readonly KnownDifference[] = [
  {
    title:
      'NSEC at a delegation: BIND answers with the record of the parent, Knot and NSD refer to the child',
    reference: 'RFC 4035 section 3.1.4.1 speaks only of DS',
    applies: ({ query, whole }) =>
      query.type === 'NSEC' &&
      !whole.aa &&
      whole.authority.some(({ type, owner }) => type === 'NS' && isSameName(owner, query.name)),
    // BIND has no glue then. Knot and NSD may have some from a wildcard, see `known-differences.ts`.
    isRight: (facts) =>
      !facts.theirs.has('knot') || isLike(facts, 'knot', 'nsd', ...(facts.aspect === 'glue' ? ['bind'] : [])),
  },
  {
    title:
      'a query for NSEC in a zone with NSEC3 follows an alias in NSD; BIND and Knot answer that there is none',
    reference: 'RFC 4034 section 2.5: NSEC may stand beside a CNAME, but does not here',
    applies: ({ query, zone, whole }) =>
      query.type === 'NSEC' && zone.denial === 'nsec3' && whole.answer.some(({ type }) => type === 'CNAME'),
    // Loops and long chains of aliases are judged in answers to other queries.
    isRight: () => true,
  },
  {
    title:
      'the next closer name of a wildcard answer is denied; Knot does not for NSEC or a leading asterisk',
    reference: 'RFC 4035 sections 3.1.3.3 and 3.1.3.4, RFC 5155 sections 7.2.5 and 7.2.6',
    applies: (facts) => (facts.query.type === 'NSEC' || hasAsterisk(facts)) && lacksProofs(facts),
    isRight: (facts) => facts.theirs.get('bind')?.isTruncated === true || isLike(facts, 'bind', 'nsd'),
  },
  {
    title:
      'an empty wildcard is proven by the record that leads below it; BIND and Knot use one that is below it',
    reference: 'RFC 4035 section 3.1.3.4: either shows that the wildcard exists without data',
    applies: ({ aspect, zone, ours, theirs }) => {
      const judge = [theirs.get('bind'), theirs.get('knot')].find((answer) => answer?.isTruncated === false);
      const [own, other] = [linesOf(ours.authority), linesOf(judge?.authority)];
      const more = own.filter((line) => !other.includes(line));
      const isEmptyWildcard = more.length === 1 && / NSEC .*012a/.test(more[0]);
      return aspect === 'authority' && zone.denial === 'nsec' && isEmptyWildcard && own.length > other.length;
    },
    // We have all that the others have, and one record whose next name has an asterisk in it.
    isRight: () => true,
  },
  {
    title:
      'a proof denies what the answer says and no more; NSD denies names above a DNAME target or wildcard',
    reference: 'RFC 4035 section 3.1.3 and RFC 5155 section 7.2',
    applies: ({ aspect, theirs }) =>
      aspect === 'authority' &&
      theirs.get('bind')?.rcode === theirs.get('knot')?.rcode &&
      theirs.get('bind')?.authority === theirs.get('knot')?.authority,
    isRight: (facts) => isLike(facts, 'bind'),
  },
  {
    title:
      'a DNAME is followed by its synthesised CNAME; BIND puts other data of the DNAME owner between them',
    reference: 'RFC 6672 section 3.2 step 3C',
    applies: ({ aspect, whole, theirs }) =>
      aspect === 'answer' &&
      theirs.get('bind')?.rcode !== 'SERVFAIL' &&
      hasDname(whole) &&
      isShuffled(theirs.get('bind'), theirs.get('knot')),
    isRight: (facts) => isLike(facts, 'knot', 'nsd'),
  },
];

/** They are looked at after `known-differences.ts`: aliases that end early decide first. */
export const knownLateSignedDifferences: readonly KnownDifference[] = [
  {
    title: 'a query for NSEC3 follows an alias like any other; NSD does not',
    reference: 'RFC 5155 section 3: NSEC3 records stand only at hashed names',
    applies: ({ query, aspect }) => query.type === 'NSEC3' && aspect !== 'tc' && aspect !== 'aa',
    isRight: (facts) => isLike(facts, 'bind', 'knot'),
  },
];

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** True if the query, or an alias that it leads to, is for a name with a leading asterisk. */
function hasAsterisk({ query, whole }: Case): boolean {
  const names = [query.name, ...whole.answer.map(({ owner }) => owner), chainOf(whole).at(-1)?.target ?? ''];
  return names.some((name) => name.startsWith('*.'));
}

/** True if Knot's authority section lacks sets that BIND's has (ours, if BIND's is truncated), and has no others. */
function lacksProofs({ aspect, theirs, ours }: Case): boolean {
  const bind = theirs.get('bind');
  const all = linesOf(bind === undefined || bind.isTruncated ? ours.authority : bind.authority);
  const some = linesOf(theirs.get('knot')?.authority);
  return aspect === 'authority' && some.length < all.length && some.every((line) => all.includes(line));
}

function linesOf(section = ''): string[] {
  return section.split('\n').filter((line) => line !== '');
}
