import type { Logger } from 'pino';
import type { Terminal } from '../cli/terminal/terminal.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import { browserUrl } from './browser-url.ts';
import type { HttpAddress } from '../http/http-address.ts';
import { formatHttpAddress, formatListenAddress, type ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';
import { UNSET_NAMESERVER } from '../model/unset-nameserver.ts';
import { formatWelcome } from './welcome.ts';

export interface ServedAddresses {
  readonly http: HttpAddress;
  /** Undefined without TLS. */
  readonly https: ListenAddress | undefined;
  readonly dns: readonly ListenAddress[];
}

interface Started extends ServedAddresses {
  readonly adminKey: AdminKey;
}

/** Members of a log line. */
export function formatAddresses({ http, https, dns }: ServedAddresses): Record<string, unknown> {
  return {
    http: formatHttpAddress(http),
    ...(https && { https: formatListenAddress(https) }),
    dns: dns.map(formatListenAddress),
  };
}

/** Reports that the service runs: the line `ready` in the log, and the welcome to the operator of a new store. */
export function announce(
  { adminKey, ...addresses }: Started,
  config: Config,
  log: Logger,
  terminal: Terminal,
): void {
  const { http, dns } = addresses;
  if (adminKey.kind !== 'kept') {
    const isShared = config.database.kind !== 'sqlite';
    const { isInteractive } = terminal;
    const { adminKeyFile: keyFile } = config;
    const firstUserLink =
      adminKey.token && `${browserUrl(config.publicUrl ?? undefined, http)}/invite#${adminKey.token}`;
    const about = {
      adminKey,
      keyFile,
      http,
      dns: dns[0],
      isShared,
      isInteractive,
      firstUserLink,
      hasConsole: config.console === 'on',
    };
    terminal.print(formatWelcome(about));
  }
  if (config.role !== 'nameserver' && config.nameservers.includes(UNSET_NAMESERVER)) {
    log.warn(
      { setting: 'ZONEWRIGHT_NAMESERVERS' },
      `nameservers are not set: new domains get NS records for ${UNSET_NAMESERVER}`,
    );
  }
  log.info({ ...formatAddresses(addresses), pid: process.pid }, 'ready');
}
