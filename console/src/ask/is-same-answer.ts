import type { ExplanationJson } from '../../../src/contract/explanation-shape.ts';

type Served = NonNullable<ExplanationJson['served']>;
type OfResolver = NonNullable<ExplanationJson['resolver']>;

/**
 * Whether a resolver says the same as the nameserver: the same code and the same records, in any order, whatever is left of their
 * TTLs. Signatures are left out, because resolvers send them only to those who ask for them. Undefined: it is not known, because the
 * nameserver refers to others, or leads to a name elsewhere, which the resolver has followed.
 */
export function isSameAnswer(served: Served, resolver: OfResolver): boolean | undefined {
  if (resolver.rcode === null || resolver.answer === null || !served.authoritative) return undefined;
  if (resolver.rcode !== served.rcode) return false;
  const [ours, theirs] = [contentOf(served.answer), contentOf(resolver.answer)];
  const isAlias = served.answer.some((line) => / IN (?:CNAME|DNAME) /.test(line));
  if (isAlias && ours.every((line) => theirs.includes(line)))
    return theirs.length === ours.length ? true : undefined;
  return ours.join('\n') === theirs.join('\n');
}

function contentOf(lines: readonly string[]): readonly string[] {
  return lines
    .flatMap((line) => {
      const [, name, rest] = /^(\S+) \d+ (IN .*)$/s.exec(line) ?? [];
      if (/^IN RRSIG /.test(rest)) return [];
      return [`${name.toLowerCase()} ${rest}`];
    })
    .sort();
}
