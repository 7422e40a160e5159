// The commands about users, memberships, invitations and sessions. `command.ts` has all others.
import type { Identity, ProvenIdentity } from '../model/identity.ts';
import type { Access, Invitation, Member, MemberRole, Session, User } from '../model/user.ts';
import type { Rights } from '../model/rights.ts';
import type { UserFactors } from '../model/user-factors.ts';
import type { AccountWrite } from './author.ts';
import type { FactorChange, FactorUse } from './factor-command.ts';

/** A new invitation, as it is stored and as a repeat of the request gets it. */
export interface SealedInvitation {
  readonly invitation: Invitation;
  /** The encrypted token, for repeats of the request; it cannot be read with the store alone. */
  readonly sealed?: string | undefined;
}

/** Commands refuse a proof that the user has changed meanwhile, or that was used, and use it up. */
export interface LoginProof {
  /** The hash that the password was compared with; null: another proof. */
  readonly passwordHash: string | null;
  /** A passkey, or a code besides the password. */
  readonly factor?: FactorUse | undefined;
  /** That of a person at a provider, in place of a password. */
  readonly identity?: ProvenIdentity | undefined;
}

export type PeopleCommand =
  | (AccountWrite &
      SealedInvitation & {
        readonly kind: 'createInvitation';
        /** The rights of a key, beyond which the invitation must not go; those of a user are read from the store. */
        readonly within: Rights;
      })
  | (AccountWrite & {
      readonly kind: 'revokeInvitation';
      readonly accountId: string;
      readonly id: string;
    })
  | (AccountWrite & {
      readonly kind: 'acceptInvitation';
      /** That of the token. */
      readonly hash: string;
      /** The user who is created, or whose password is set; its e-mail address is for invitations that name none. */
      readonly user: Pick<User, 'id' | 'email' | 'name' | 'passwordHash'>;
      /** The user that the client has proved to be; null: none. */
      readonly proven: (LoginProof & { readonly userId: string }) | null;
      /** That of the person at a provider; it will sign the new user in. */
      readonly identity?: ProvenIdentity | undefined;
      /** The session of the user who accepts, which rests on the same proof. */
      readonly session?: Session | undefined;
      readonly atSeconds: number;
    })
  | (AccountWrite &
      MemberRole & {
        readonly kind: 'updateMember';
        readonly accountId: string;
        readonly userId: string;
        /** As for `createInvitation`. */
        readonly within: Rights;
      })
  | (AccountWrite & {
      /** Ends a membership, and with the last one the user; the keys that the user made in the account are revoked. */
      readonly kind: 'removeMember';
      readonly accountId: string;
      readonly userId: string;
      readonly within: Rights;
    })
  | (AccountWrite & {
      readonly kind: 'updateUser';
      readonly userId: string;
      readonly newName?: string | undefined;
      /** All other sessions of the user end. */
      readonly passwordHash?: string | undefined;
      /** The session that stays; null: none does. */
      readonly sessionId: string | null;
    })
  | (AccountWrite &
      LoginProof & {
        readonly kind: 'createSession';
        readonly session: Session;
      })
  | (AccountWrite &
      LoginProof & {
        /** The user has proved again who it is. */
        readonly kind: 'confirmSession';
        readonly userId: string;
        readonly sessionId: string;
        readonly freshUntilSeconds: number;
      })
  | (AccountWrite & {
      readonly kind: 'linkIdentity';
      readonly userId: string;
      /** Refused if it has ended. */
      readonly sessionId: string;
      readonly identity: ProvenIdentity;
      readonly atSeconds: number;
    })
  | (AccountWrite & {
      readonly kind: 'unlinkIdentity';
      readonly userId: string;
      readonly issuer: string;
    })
  | (AccountWrite & {
      readonly kind: 'changeFactors';
      readonly userId: string;
      readonly change: FactorChange;
    })
  | {
      /** A code that was wrong; the service itself asks for it. */
      readonly kind: 'noteWrongCode';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly userId: string;
      readonly atMs: number;
    }
  | (AccountWrite & { readonly kind: 'createAccess'; readonly access: Access })
  | (AccountWrite & {
      readonly kind: 'endAccess';
      readonly accountId: string;
      /** Whose it is. */
      readonly userId: string;
    })
  | (AccountWrite & {
      readonly kind: 'endSessions';
      readonly userId: string;
      /** Null: all. */
      readonly sessionId: string | null;
    })
  | {
      /** Sessions that have been used; the service itself asks for it. */
      readonly kind: 'noteSessionUses';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly uses: readonly { readonly sessionId: string; readonly atSeconds: number }[];
    };

export interface AcceptedInvitation {
  readonly user: User;
  /** Empty after a recovery. */
  readonly accountId: string;
}

export interface RemovedMember {
  readonly member: Member;
  /** The keys that were revoked. */
  readonly keyIds: readonly string[];
}

/** The value that each kind of command results in. */
export interface PeopleCommandValues {
  readonly createInvitation: SealedInvitation;
  readonly revokeInvitation: Invitation;
  readonly acceptInvitation: AcceptedInvitation;
  readonly updateMember: Member;
  readonly removeMember: RemovedMember;
  readonly updateUser: User;
  readonly createSession: Session;
  readonly confirmSession: Session;
  readonly changeFactors: UserFactors;
  readonly noteWrongCode: null;
  readonly linkIdentity: Identity;
  readonly unlinkIdentity: null;
  readonly createAccess: Access;
  readonly endAccess: null;
  readonly endSessions: null;
  readonly noteSessionUses: null;
}
