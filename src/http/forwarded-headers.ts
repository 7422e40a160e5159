// Reads the headers by which proxies name the client and the scheme of a request: Forwarded (RFC 7239), or X-Forwarded-For
// and X-Forwarded-Proto. Each proxy appends to them, and anyone can send them, so they are read from the right for as long
// as the addresses are those of trusted proxies.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

export interface ForwardedClient {
  /** Undefined if the proxy does not name it. */
  readonly address: string | undefined;
  /** In lower case; undefined if the proxy does not tell it. */
  readonly scheme: string | undefined;
}

/** A proxy says this of the request that it received. */
interface Hop {
  readonly node: string;
  readonly scheme: string | undefined;
}

type IsTrusted = (address: string) => boolean;

/** Whether a proxy, or somebody who poses as one, has sent the request on. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return forwardingHeaders.some((header) => headers[header] !== undefined);
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'] as const;

/** Returns what each header says that is present. A proxy sets one of them; the client may have sent the other. */
export function readForwardedHeaders(
  headers: IncomingHttpHeaders,
  isTrusted: IsTrusted,
): Parsed<readonly ForwardedClient[]> {
  const found: ForwardedClient[] = [];
  for (const [header, readHops] of hopReaders) {
    const value = headers[header];
    if (value === undefined) continue;
    const hops = readHops(String(value), headers);
    const client = hops.ok ? findClient(hops.value, isTrusted) : hops;
    if (!client.ok) return malformed(`${header} of the proxy is malformed: ${client.problem}`);
    found.push(client.value);
  }
  return parsed(found);
}

const hopReaders: readonly (readonly [
  header: string,
  read: (value: string, headers: IncomingHttpHeaders) => Parsed<readonly Hop[]>,
])[] = [
  ['forwarded', readForwarded],
  ['x-forwarded-for', (value, headers) => parsed(readForwardedFor(value, headers['x-forwarded-proto']))],
];

/** Returns the rightmost address that is no proxy, else the leftmost address; none if the header names none. */
function findClient(hops: readonly Hop[], isTrusted: IsTrusted): Parsed<ForwardedClient> {
  let last: ForwardedClient = { address: undefined, scheme: undefined };
  for (const { node, scheme } of hops.toReversed()) {
    // RFC 7239 section 6: the proxy does not know or does not tell.
    if (/^(?:unknown|_[\w.-]+)$/i.test(node)) return parsed({ address: last.address, scheme });
    const address = parseNode(node);
    if (address === undefined) return malformed('it has something else than an address');
    last = { address, scheme };
    if (!isTrusted(address)) return parsed(last);
  }
  return parsed(last);
}

/** `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`, and without brackets in X-Forwarded-For. */
function parseNode(text: string): string | undefined {
  if (isIP(text) !== 0) return plainAddress(text);
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(text);
  const [six, four] = [match?.at(1), match?.at(2)];
  if (six !== undefined && isIP(six) === 6) return plainAddress(six);
  return four !== undefined && isIP(four) === 4 ? four : undefined;
}

/** Most proxies send one scheme, that of the client; some append theirs, as they do with the addresses. */
function readForwardedFor(value: string, proto: string | readonly string[] | undefined): Hop[] {
  const nodes = value.split(',').map((node) => node.trim());
  const schemes = readSchemes(proto);
  return nodes.map((node, at) => ({
    node,
    scheme: schemes.length === nodes.length ? schemes[at] : schemes.at(-1),
  }));
}

/** The last scheme of X-Forwarded-Proto, of proxies that send no addresses. */
export function findForwardedProto(headers: IncomingHttpHeaders): string | undefined {
  return readSchemes(headers['x-forwarded-proto']).at(-1);
}

function readSchemes(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  return String(value)
    .split(',')
    .map((scheme) => scheme.trim().toLowerCase());
}

const ELEMENT_PART =
  /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([,;]|$)/y;

/** Returns every element. All of the header must be well-formed, or a quote could hide what a proxy added. */
function readForwarded(value: string): Parsed<readonly Hop[]> {
  const hops: Hop[] = [];
  let node: string | undefined;
  let scheme: string | undefined;
  for (let at = 0; at < value.length; at = ELEMENT_PART.lastIndex) {
    ELEMENT_PART.lastIndex = at;
    const match = ELEMENT_PART.exec(value);
    if (match === null) return malformed('it is not a list of name=value');
    const [, name, , , end] = match;
    const text = match.at(2) ?? unquote(match.at(3) ?? '');
    if (name.toLowerCase() === 'for') node = text;
    if (name.toLowerCase() === 'proto') scheme = text.toLowerCase();
    if (end === ';') continue;
    // An element without `for` was added by a proxy that does not tell.
    hops.push({ node: node ?? 'unknown', scheme });
    node = scheme = undefined;
  }
  return parsed(hops);
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** IPv4 addresses are shown as such, also on sockets for both families. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
