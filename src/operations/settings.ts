import type { AccountLimits } from '../model/account-limits.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { SoaDefaults } from '../model/soa.ts';
import type { ZoneNameRules } from '../model/zone-name.ts';

/** The operator's settings that use cases need. They do not change while the process runs. */
export interface Settings {
  readonly recordRules: RecordRules;
  readonly zoneNameRules: ZoneNameRules;
  readonly soa: SoaDefaults;
  /** Host names for the apex NS records of new domains. */
  readonly nameservers: readonly string[];
  /** How many of them an account has; absent: all. */
  readonly nameserverSet?: number | undefined;
  /** Whether control of new domains has to be shown before they are served; absent: `open`. */
  readonly claims?: 'open' | 'verified' | undefined;
  /** The origin under which browsers reach the service, such as `https://dns.example.net`; undefined: not set. */
  readonly publicUrl?: string | undefined;
  /** The limits of accounts for which an administrator has set no others. */
  readonly limits: AccountLimits;
  /** Days for which history is kept, and deleted domains and accounts can be restored. */
  readonly historyDays: number;
}
