import { isIP } from 'node:net';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parseResolvers } from '../dns-client/server-list.ts';
import type { ServerAddress } from '../dns-client/server-address.ts';
import { parseHex } from '../dns/hex.ts';
import { isUnixAddress, type HttpAddress } from '../http/http-address.ts';
import { MAX_SOCKET_PATH } from '../http/socket-file.ts';
import { UNIX_PEERS } from '../http/client-address.ts';
import { parseZoneName } from '../model/zone-name.ts';
import { MAX_IDENTIFIER_BYTES } from '../nameserver/nameserver-limits.ts';
import { parsePostgresUrl, type PostgresAddress } from '../store/postgres/postgres-address.ts';

/**
 * Parses the text of one setting, which has the same form in an option, the environment and the file. A problem is the
 * second half of a sentence; the first half names the source.
 */
export type SettingParser<T> = (text: string) => Parsed<T>;

/** An address to listen on. The host is an IP address; port 0 lets the system choose. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. */
export function parseListenAddress(text: string): Parsed<ListenAddress> {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? (match?.[2] === 'localhost' ? '127.0.0.1' : match?.[2]);
  const port = Number(match?.[3]);
  const family = match?.[1] === undefined ? 4 : 6;
  if (host === undefined || isIP(host) !== family) {
    return malformed(`${quote(text)} is not address:port, for example 127.0.0.1:8080 or [::1]:8080`);
  }
  if (port > 65_535) return malformed(`port ${port} of ${quote(text)} is over 65535`);
  return parsed({ host, port });
}

/** An address to listen on, or `unix:/run/zonewright/http.sock`. */
export function parseHttpAddress(text: string): Parsed<HttpAddress> {
  if (!text.startsWith('unix:')) return parseListenAddress(text);
  const path = text.slice('unix:'.length);
  if (!path.startsWith('/') || path.endsWith('/') || path.includes('\0'))
    return malformed(
      `${quote(text)} is not unix: and an absolute path, for example unix:/run/zonewright/http.sock`,
    );
  const octets = Buffer.byteLength(path);
  return octets <= MAX_SOCKET_PATH
    ? parsed({ path })
    : malformed(`the path of ${quote(text)} has ${octets} octets, more than ${MAX_SOCKET_PATH}`);
}

/** Permissions of a file, such as `660`. */
export function parseFileMode(text: string): Parsed<number> {
  return /^0?[0-7]{3}$/.test(text)
    ? parsed(parseInt(text, 8))
    : malformed(`${quote(text)} are not permissions of a file, for example 660`);
}

/** A network, or `unix` for all who can open the Unix socket. */
export function parseTrustedProxy(text: string): Parsed<string> {
  return text === UNIX_PEERS ? parsed(text) : parseNetwork(text);
}

/** An address or a network: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`. */
export function parseNetwork(text: string): Parsed<string> {
  const [address, prefix, ...rest] = text.split('/') as [string, string?, ...string[]];
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(address) !== 0 && !address.includes('%') && isPrefix && rest.length === 0) return parsed(text);
  return malformed(`${quote(text)} is not an address or network, for example 192.0.2.1 or 10.0.0.0/8`);
}

/** As the setting has it. */
export function formatHttpAddress(address: HttpAddress): string {
  return isUnixAddress(address) ? `unix:${address.path}` : formatListenAddress(address);
}

export function formatListenAddress({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** One host name as NS records show it: lower-case A-labels, no trailing dot. */
export function parseHostName(text: string): Parsed<string> {
  const name = parseZoneName(text, { allowPublicSuffixes: true });
  return name.ok ? name : malformed(`${quote(text)} is not a host name, for example ns1.example.net`);
}

/** The origin of a page as browsers write it, such as `https://console.example.net`; `*` is any. */
export function parseOrigin(text: string): Parsed<string> {
  if (text === '*') return parsed(text);
  const origin = /^https?:/.test(text) && URL.canParse(text) ? new URL(text).origin : undefined;
  if (text.includes('*'))
    return malformed(
      `${quote(text)} is not an origin: * alone allows all origins, it cannot replace part of a name`,
    );
  if (origin === text) return parsed(text);
  const example = origin ?? 'https://console.example.net';
  return malformed(`${quote(text)} is not an origin as browsers write it, for example ${example}`);
}

/** An origin of the service itself. */
export function parsePublicUrl(text: string): Parsed<string> {
  return text === '*'
    ? malformed('"*" is not an origin, for example https://dns.example.net')
    : parseOrigin(text);
}

/** It also seals cookies, for which a short one would be guessed. */
const MIN_CLIENT_SECRET_CHARACTERS = 16;

export function parseClientSecret(text: string): Parsed<string> {
  if (text.length >= MIN_CLIENT_SECRET_CHARACTERS) return parsed(text);
  return malformed(`it must have ${MIN_CLIENT_SECRET_CHARACTERS} characters or more`);
}

/** It is on a button. */
const MAX_PROVIDER_NAME_CHARACTERS = 60;

export function parseProviderName(text: string): Parsed<string> {
  if (text.length <= MAX_PROVIDER_NAME_CHARACTERS && !/\p{Cc}/u.test(text)) return parsed(text);
  return malformed(`it must have at most ${MAX_PROVIDER_NAME_CHARACTERS} printable characters`);
}

/** Several values separated by commas, white space around them ignored; at least one, none twice. */
export function listOf<T>(parse: SettingParser<T>): SettingParser<readonly T[]> {
  return (text) => {
    const values: T[] = [];
    const seen = new Set<string>();
    for (const item of text.split(',').map((part) => part.trim())) {
      const value = parse(item);
      if (!value.ok) return value;
      const identity = JSON.stringify(value.value);
      if (seen.has(identity)) return malformed(`${quote(item)} is named twice`);
      seen.add(identity);
      values.push(value.value);
    }
    return parsed(values);
  };
}

/** `none` as no list at all. */
export function parseResolverSetting(text: string): Parsed<readonly ServerAddress[] | 'none'> {
  return text === 'none' ? parsed(text) : parseResolvers(text);
}

export function integerBetween(least: number, most: number): SettingParser<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < least || value > most) {
      return malformed(`${quote(text)} is not a whole number from ${least} to ${most}`);
    }
    return parsed(value);
  };
}

/** Accepts what `parse` accepts; the empty text is null. */
export function optional<T>(parse: SettingParser<T>): SettingParser<T | null> {
  return (text) => (text === '' ? parsed(null) : parse(text));
}

export function oneOf<const T extends string>(...words: readonly T[]): SettingParser<T> {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    return word === undefined ? malformed(`${quote(text)} is not one of ${words.join(', ')}`) : parsed(word);
  };
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

export function parseYesOrNo(text: string): Parsed<boolean> {
  const value = truths.get(text.toLowerCase());
  return value === undefined ? malformed(`${quote(text)} is neither yes nor no`) : parsed(value);
}

const sizeUnits = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 } as const;

/** Octets: `512M`, `2G`, `1048576`; K, M and G are powers of 1024. */
export function sizeBetween(leastBytes: number, mostBytes: number): SettingParser<number> {
  return (text) => {
    const match = /^(\d{1,15})([KMG]?)$/i.exec(text);
    const unit = (match?.[2] ?? '').toUpperCase() as keyof typeof sizeUnits;
    const bytes = Number(match?.[1]) * sizeUnits[unit];
    if (match === null || bytes < leastBytes || bytes > mostBytes) {
      return malformed(
        `${quote(text)} is not a size from ${formatSize(leastBytes)} to ${formatSize(mostBytes)}, for example 512M`,
      );
    }
    return parsed(bytes);
  };
}

export function formatSize(bytes: number): string {
  const gigabytes = bytes / sizeUnits.G;
  return Number.isInteger(gigabytes) ? `${gigabytes}G` : `${bytes / sizeUnits.M}M`;
}

export function parsePath(text: string): Parsed<string> {
  return text === '' || text.includes('\0') ? malformed(`${quote(text)} is not a path`) : parsed(text);
}

/** The storage engine and its address. */
export type Database =
  { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly address: PostgresAddress };

/** The embedded engine keeps its data in the data folder, so its URL has no further parts. */
export function parseDatabase(text: string): Parsed<Database> {
  if (text === 'sqlite:') return parsed({ kind: 'sqlite' });
  if (text.startsWith('sqlite:')) {
    return malformed(
      `${quote(text)} contains a path, but the embedded store is always in the data folder: write sqlite:`,
    );
  }
  if (!/^postgres(ql)?:/.test(text)) {
    return malformed(`${quote(text)} is not a database: write sqlite: or postgres://user@host/database`);
  }
  const address = parsePostgresUrl(text);
  return address.ok ? parsed({ kind: 'postgres', address: address.value }) : address;
}

/** Its problem does not repeat the text, which may be a secret with one wrong digit. */
export function parseCookieSecret(text: string): Parsed<Uint8Array> {
  const secret = parseHex(text);
  return secret.ok && secret.value.length === 16
    ? secret
    : malformed('a cookie secret is 32 hex digits, as `openssl rand -hex 16` prints them');
}

/** The name of a process for people: printable ASCII without spaces, no longer than a host name. */
export function parseServerName(text: string): Parsed<string> {
  return new RegExp(`^[!-~]{1,${MAX_SERVER_NAME_CHARACTERS}}$`).test(text)
    ? parsed(text)
    : malformed(
        `${quote(text)} is not a name of 1 to ${MAX_SERVER_NAME_CHARACTERS} printable ASCII characters without spaces`,
      );
}

const MAX_SERVER_NAME_CHARACTERS = 253;

/** Empty, or printable ASCII. */
export function parseNsid(text: string): Parsed<string> {
  if (!/^[ -~]*$/.test(text)) return malformed(`${quote(text)} has other characters than printable ASCII`);
  return text.length <= MAX_IDENTIFIER_BYTES
    ? parsed(text)
    : malformed(`${quote(text)} has ${text.length} characters, more than ${MAX_IDENTIFIER_BYTES}`);
}

/** Hides the password of every URL in the text. A PostgreSQL URL may contain spaces. */
export function redactPasswords(text: string): string {
  return text
    .replace(/(postgres(?:ql)?:\/\/[^\s/?#:@]*):[^/?#"]*@/gi, '$1:***@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/]*@/gi, '$1:***@')
    .replace(/(password=)[^&\s]*/gi, '$1***');
}

function quote(text: string): string {
  return JSON.stringify(redactPasswords(text));
}
