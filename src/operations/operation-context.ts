// The dependencies of all use cases. Independent of HTTP, SQL and sockets.
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import type { FairSemaphore } from '../base/fair-semaphore.ts';
import { monotonicClock, type MonotonicClock } from '../base/clock.ts';
import type { Caller, UserSession } from '../model/account.ts';
import { LoginLimiter } from '../credentials/login-limiter.ts';
import { PasswordWork } from '../credentials/password-work.ts';
import { createCredentialCache, type CredentialCache } from './credential-cache.ts';
import { createAccountExports } from './account-exports.ts';
import { ClaimLooks } from '../claims/claim-looks.ts';
import { DelegationLooks } from '../claims/delegation/delegation-looks.ts';
import { NameserverSets } from '../claims/nameserver-sets.ts';
import { KeySetLooks } from '../signer/key-set-looks.ts';
import { ParentLooks } from '../signer/parent-looks.ts';
import type { AskedResolvers, AskNameserver } from './asked-answer.ts';
import { openFactorTerms, type FactorTerms } from './factor-terms.ts';
import { createIdSource } from './new-id.ts';
import type { OpenIdTerms } from './open-id-terms.ts';
import { PropagationWaits } from './propagation-waits.ts';
import type { Settings } from './settings.ts';
import type { SigningTerms } from './signing-terms.ts';
import { SoughtObjects } from './sought-objects.ts';
import { TrailBuffer } from './trail-buffer.ts';
import { UseTimes } from './use-times.ts';
import { WorkBudget } from './work-budget.ts';
import { WorkMemory } from './work-memory.ts';
import { ZoneViews } from './zone-views.ts';

export interface OperationContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Returns UUIDv7 ids that strictly increase within this process. */
  readonly newId: () => string;
  /** Callers by recently used keys. */
  readonly callers: CredentialCache<Caller>;
  readonly keyUses: UseTimes;
  /** Users by recently used sessions. */
  readonly sessions: CredentialCache<UserSession>;
  readonly sessionUses: UseTimes;
  readonly passwords: PasswordWork;
  readonly logins: LoginLimiter;
  /** For what happens without a commit. */
  readonly trail: TrailBuffer;
  /** Objects that callers did not find, because they do not exist or belong to others. */
  readonly sought: SoughtObjects;
  readonly factors: FactorTerms;
  /** Requests that wait until the nameservers serve a serial. Closed when the service stops. */
  readonly propagationWaits: PropagationWaits;
  readonly zoneViews: ZoneViews;
  /** Exports of whole accounts, by account. */
  readonly accountExports: FairSemaphore;
  /** Looks at parent zones. Closed when the service stops. */
  readonly parentLooks: ParentLooks;
  /** Looks at who controls domains. Closed when the service stops. */
  readonly claimLooks: ClaimLooks;
  /** Looks at how domains are delegated. Closed when the service stops. */
  readonly delegationLooks: DelegationLooks;
  /** Looks at the keys that nameservers publish. Closed when the service stops. */
  readonly keySetLooks: KeySetLooks;
  readonly nameserverSets: NameserverSets;
  /** The memory of all large work. */
  readonly workMemory: WorkMemory;
  readonly monotonic: MonotonicClock;
  /** Debit it with `findCostRefusal`. */
  readonly work: WorkBudget;
  /** Absent: no domain can be signed, because there is no secret that encrypts keys. */
  readonly signing?: SigningTerms | undefined;
  /** Absent: nobody signs in with OpenID Connect. */
  readonly openId?: OpenIdTerms | undefined;
  /** Absent: no nameserver runs beside this process. */
  readonly askNameserver?: AskNameserver | undefined;
  /** Absent: no resolver is asked for customers. */
  readonly askedResolvers?: AskedResolvers | undefined;
  /** Whether the store is known to have its first account; absent: it is. */
  readonly hasFirstAccount?: () => boolean;
}

export function createOperationContext(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly monotonic?: MonotonicClock;
  /** Absent: nobody is asked. */
  readonly parentLooks?: ParentLooks;
  readonly claimLooks?: ClaimLooks;
  readonly delegationLooks?: DelegationLooks;
  readonly keySetLooks?: KeySetLooks;
  /** Octets for all large work. */
  readonly workMemoryBytes?: number;
  readonly signing?: SigningTerms | undefined;
  readonly openId?: OpenIdTerms | undefined;
  readonly askNameserver?: AskNameserver | undefined;
  readonly askedResolvers?: AskedResolvers | undefined;
  /** The texts of the secrets that seal those of one-time codes; absent: there are none. */
  readonly factorSecrets?: readonly string[] | undefined;
  readonly hasFirstAccount?: () => boolean;
}): OperationContext {
  const { factorSecrets = [], ...given } = options;
  const { clock, store, monotonic = monotonicClock } = given;
  return {
    monotonic,
    parentLooks: new ParentLooks({ lookup: undefined, clock, monotonic }),
    claimLooks: new ClaimLooks({ lookup: undefined, clock, monotonic }),
    delegationLooks: new DelegationLooks({ lookup: undefined, clock, monotonic }),
    keySetLooks: new KeySetLooks({ lookup: undefined, clock, monotonic }),
    nameserverSets: new NameserverSets(store, given.settings),
    ...given,
    newId: createIdSource(clock),
    callers: createCredentialCache(),
    keyUses: new UseTimes(),
    sessions: createCredentialCache(),
    sessionUses: new UseTimes(),
    passwords: new PasswordWork(),
    logins: new LoginLimiter(),
    trail: new TrailBuffer(clock, monotonic),
    sought: new SoughtObjects(clock, monotonic),
    factors: openFactorTerms(factorSecrets),
    propagationWaits: new PropagationWaits(store),
    zoneViews: new ZoneViews(store),
    accountExports: createAccountExports(),
    workMemory: new WorkMemory(given.workMemoryBytes),
    work: new WorkBudget(),
  };
}
