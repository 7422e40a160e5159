import type { Log } from '../base/log.ts';
import type { SoaDefaults } from '../model/soa.ts';
import type { SigningSettings } from '../store/signing-settings.ts';
import type { Config } from './config-settings.ts';
import { openDnssecSecrets } from './open-dnssec-secrets.ts';

/**
 * Returns undefined if there is no secret, so that no domain can be signed.
 *
 * @throws CommandFailure or StoreOpenError with one sentence
 */
export function openSigningSettings(config: Config, log: Log): SigningSettings | undefined {
  const secrets = openDnssecSecrets(config, log);
  return secrets.length === 0 ? undefined : { secrets, soa: soaDefaultsOf(config) };
}

/** The SOA record of a domain has these names unless its owner sets others. */
export function soaDefaultsOf({ nameservers, hostmaster: mailbox }: Config): SoaDefaults {
  return { nameservers, mailbox };
}
