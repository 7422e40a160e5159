import { isUnixAddress, type HttpAddress } from '../http/http-address.ts';
import { formatListenAddress, type ListenAddress } from './config-parsers.ts';
import type { AdminKey } from './bootstrap-admin.ts';

export interface Welcome {
  readonly adminKey: Exclude<AdminKey, { kind: 'kept' }>;
  readonly keyFile: string;
  readonly http: HttpAddress;
  /** Undefined if this process does not serve DNS. */
  readonly dns: ListenAddress | undefined;
  /** Other processes may use the same store; they do not have the key. */
  readonly isShared: boolean;
  /** The link for the first user; absent if it could not be made. */
  readonly firstUserLink?: string | undefined;
  /** The link leads to a page. */
  readonly hasConsole: boolean;
  /** The welcome goes to a terminal, not to a file or the log of a supervisor. */
  readonly isInteractive: boolean;
}

/** Formats the welcome to the operator of a new store: key and link, once and only on a terminal, and commands to paste. */
export function formatWelcome(welcome: Welcome): string {
  const { adminKey, keyFile, http, dns, isShared, isInteractive } = welcome;
  const { place: httpPlace, url, curl } = describeHttp(http);
  const nameserver = dns && reachable(dns);
  // In double quotes, so that the shell inserts the key, which then is in no history of commands.
  const bearer = `"Authorization: Bearer $(cat ${quote(keyFile)})"`;
  const place = isShared ? `${keyFile} on this machine alone` : keyFile;
  const isShown = adminKey.kind === 'drawn' && isInteractive;
  const kept = isShown ? `${adminKey.key} (shown only now, kept in ${place})` : `kept in ${place}`;
  const keyLine = adminKey.kind === 'drawn' ? kept : `taken from ${keyFile}`;
  return [
    'Zonewright is ready.',
    '',
    `  HTTP        ${httpPlace}`,
    ...(nameserver ? [`  DNS         ${formatListenAddress(nameserver)}, UDP and TCP`] : []),
    `  API key     ${keyLine}`,
    '',
    'A first domain:',
    '',
    `  ${curl} -H ${bearer} '${url}/v2/domains' -d '{"domain":"example.com","ip":"192.0.2.1"}'`,
    ...(nameserver ? [`  dig @${nameserver.host} -p ${nameserver.port} example.com A`] : []),
    '',
    'The first person, who may do everything:',
    '',
    `  ${describeFirstUser(welcome)}`,
    '',
    '',
  ].join('\n');
}

/** A link is a secret: it is not printed where the output may be a log. */
function describeFirstUser({ firstUserLink, isInteractive, hasConsole }: Welcome): string {
  if (firstUserLink === undefined || !isInteractive) return 'zonewright recover-user';
  return hasConsole ? firstUserLink : `zonewright user join '${firstUserLink}'`;
}

function describeHttp(http: HttpAddress): Readonly<Record<'place' | 'url' | 'curl', string>> {
  if (isUnixAddress(http)) {
    const url = 'http://localhost';
    return { place: `unix:${http.path}`, url, curl: `curl --unix-socket ${quote(http.path)}` };
  }
  const url = `http://${formatListenAddress(reachable(http))}`;
  return { place: `${url}/v2`, url, curl: 'curl' };
}

/** Wildcard addresses can be listened on but not called. */
function reachable({ host, port }: ListenAddress): ListenAddress {
  if (host === '0.0.0.0') return { host: '127.0.0.1', port };
  return { host: host === '::' ? '::1' : host, port };
}

function quote(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
