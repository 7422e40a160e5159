import type { MemberJson } from '../../../src/contract/member-shape.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';

/** A role as a sentence: that in the account, or those in single domains. */
export function describeRole({ role, grants }: Pick<MemberJson, 'role' | 'grants'>): string {
  if (role !== null) return text.people.roles[role].label;
  return (grants ?? [])
    .map((grant) => text.people.grant[grant.role](grant.domains.map(toUnicode).join(', ')))
    .join('; ');
}
