// A role as it is chosen: one for the whole account, or lists of single domains. Knows no screen.
import type { DomainRoleJson } from '../../../src/contract/member-shape.ts';
import type { NewMemberRole } from '../../../src/client/users-client.ts';
import { quote } from '../service/format-curl.ts';
import { splitWords } from '../text/split-words.ts';
import { toAscii } from '../text/name-forms.ts';

export type RoleChoice = 'owner' | 'editor' | 'viewer' | 'grants';

export interface RoleDraft {
  readonly choice: RoleChoice;
  /** With spaces or commas between, as they are typed. */
  readonly edits: string;
  readonly views: string;
}

interface GivenRole {
  readonly role: 'owner' | 'editor' | 'viewer' | null;
  readonly grants: readonly DomainRoleJson[] | null;
}

export const viewerRole: RoleDraft = { choice: 'viewer', edits: '', views: '' };

export function draftOfRole({ role, grants }: GivenRole): RoleDraft {
  return { choice: role ?? 'grants', edits: domainsOf(grants, 'editor'), views: domainsOf(grants, 'viewer') };
}

function domainsOf(grants: readonly DomainRoleJson[] | null, role: 'editor' | 'viewer'): string {
  return (grants ?? []).flatMap((grant) => (grant.role === role ? grant.domains : [])).join(' ');
}

/** Undefined: single domains are chosen, and none is named. */
export function roleOfDraft({ choice, edits, views }: RoleDraft): NewMemberRole | undefined {
  if (choice !== 'grants') return { role: choice };
  const grants = [...grantOf('editor', edits), ...grantOf('viewer', views)];
  return grants.length === 0 ? undefined : { grants };
}

function grantOf(role: 'editor' | 'viewer', typed: string): DomainRoleJson[] {
  // The service says what is wrong with a name that the browser cannot convert.
  const domains = splitWords(typed).map((name) => toAscii(name) ?? name);
  return domains.length === 0 ? [] : [{ role, domains }];
}

/** A role and its options, for the command line; undefined: it knows only one role a command. */
export function wordsOfRole({
  role,
  grants = [],
}: NewMemberRole): { role: string; options: string } | undefined {
  if (role !== undefined) return { role, options: '' };
  const [grant, ...others] = grants;
  if (others.length > 0) return undefined;
  return { role: grant.role, options: ` --domain ${grant.domains.map(quote).join(' ')}` };
}
