import { readFileSync } from 'node:fs';
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../../dns/clip.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { codeOf } from '../file-failures.ts';

/** A secret that two servers share (RFC 8945). */
export interface TsigKey {
  /** Lower case, as it is signed. */
  readonly name: DomainName;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

export interface TsigAlgorithm {
  /** As it is on the wire (RFC 8945 section 6). */
  readonly name: DomainName;
  /** As `node:crypto` calls the hash. */
  readonly hash: string;
}

/** RFC 8945 section 6. MD5 and SHA-1 are old, but old servers are where one moves away from. */
const algorithms: Readonly<Record<string, TsigAlgorithm>> = {
  'hmac-md5': algorithm('hmac-md5.sig-alg.reg.int', 'md5'),
  'hmac-sha1': algorithm('hmac-sha1', 'sha1'),
  'hmac-sha224': algorithm('hmac-sha224', 'sha224'),
  'hmac-sha256': algorithm('hmac-sha256', 'sha256'),
  'hmac-sha384': algorithm('hmac-sha384', 'sha384'),
  'hmac-sha512': algorithm('hmac-sha512', 'sha512'),
};

/** `name:algorithm:file`, where the file holds the secret in base64, or a `key` statement of BIND's with it. */
export function readTsigKey(text: string): Parsed<TsigKey> {
  const found = /^([^:]+):([^:]+):(.+)$/.exec(text);
  if (found === null) return malformed(`${clip(text)} is not name:algorithm:file`);
  const [, name, algorithmName, path] = found;
  try {
    const content = readFileSync(path, 'utf8');
    const secret = /\bsecret\s+"?([A-Za-z0-9+/=]+)"?\s*;/.exec(content)?.[1] ?? content.trim();
    return makeKey(name, algorithmName, secret, path);
  } catch (error) {
    return malformed(`the TSIG key file ${path} cannot be read (${codeOf(error)})`);
  }
}

/** `name:algorithm:secret`, for an environment variable; messages never repeat the secret. */
export function parseTsigKey(text: string, source: string): Parsed<TsigKey> {
  const found = /^([^:]+):([^:]+):(.+)$/.exec(text);
  if (found === null) return malformed(`${source} is not name:algorithm:secret`);
  return makeKey(found[1], found[2], found[3], source);
}

function makeKey(
  nameText: string,
  algorithmName: string,
  secretText: string,
  source: string,
): Parsed<TsigKey> {
  const name = parseDomainName(nameText);
  if (!name.ok) return malformed(`the TSIG key's name is malformed: ${name.problem}`);
  const lower = algorithmName.toLowerCase();
  const chosen = Object.hasOwn(algorithms, lower) ? algorithms[lower] : undefined;
  if (chosen === undefined) {
    const known = Object.keys(algorithms).join(', ');
    return malformed(`the TSIG algorithm ${clip(algorithmName)} is not one of ${known}`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(secretText))
    return malformed(`${source} does not hold a secret in base64`);
  return parsed({
    name: lowerDomainName(name.value),
    algorithm: chosen,
    secret: Buffer.from(secretText, 'base64'),
  });
}

function algorithm(text: string, hash: string): TsigAlgorithm {
  const name = parseDomainName(text);
  if (!name.ok) throw new TypeError(name.problem);
  return { name: name.value, hash };
}
