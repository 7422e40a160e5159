import type { Clock } from '../base/clock.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import type { Account } from '../model/account.ts';
import { quoteText } from '../model/quote-text.ts';
import { scopeRights } from '../model/scope-rights.ts';
import type { User } from '../model/user.ts';
import type { KeyStore } from '../store/key-store.ts';
import { serviceAuthor } from '../writes/author.ts';
import { commitWrite } from './commit-write.ts';
import { newInvitationLink, newRecoveryLink, type NewLink } from './create-link.ts';
import { createIdSource } from './new-id.ts';
import { normaliseEmail } from './prove-password.ts';
import { findRecoveredAccount } from './recover-admin-key.ts';

/** A link that lets in `user`, or a new owner of `account`. */
export interface RecoveryLink {
  readonly link: NewLink;
  readonly about:
    { readonly kind: 'user'; readonly user: User } | { readonly kind: 'owner'; readonly account: Account };
}

/** Either an e-mail address, or an account as for `findRecoveredAccount`. */
export interface RecoveryTarget {
  readonly email: string | undefined;
  readonly account: string | undefined;
}

/**
 * Makes a link past the interface. Checks no permission: anyone who can write to the store can do anything. A new owner of the
 * first account is an operator as well.
 */
export async function createRecoveryLink(
  store: KeyStore,
  clock: Clock,
  { email, account: named }: RecoveryTarget,
): Promise<Parsed<RecoveryLink>> {
  const context = { clock, newId: createIdSource(clock) };
  if (email !== undefined) {
    const user = (await store.people.find('users', 'email', [normaliseEmail(email)])).at(0);
    if (user === undefined) return malformed(`no user has the e-mail address ${quoteText(email)}`);
    return storeLink(store, clock, {
      link: newRecoveryLink(context, user.id),
      about: { kind: 'user', user },
    });
  }
  const found = await findRecoveredAccount(store, named);
  if (!found.ok) return found;
  const terms = { role: 'owner', grants: null, email: null, createdBy: '' } as const;
  const accountId = found.value.id;
  const link = newInvitationLink(context, { ...terms, accountId, isOperator: named === undefined });
  return storeLink(store, clock, { link, about: { kind: 'owner', account: found.value } });
}

/** Rejects like the store's `write`. */
async function storeLink(store: KeyStore, clock: Clock, made: RecoveryLink): Promise<Parsed<RecoveryLink>> {
  const { invitation } = made.link;
  const author = serviceAuthor(clock.nowMs());
  const within = scopeRights.admin;
  const result = await commitWrite({ store }, { kind: 'createInvitation', author, invitation, within });
  return result.ok ? parsed(made) : malformed(result.refusal.message);
}
