import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { CommandFailure } from '../command-failure.ts';
import { findVariable, type Environment } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { readKeyFile } from '../file-failures.ts';

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

const TSIG_VARIABLE = 'ZONEWRIGHT_TSIG';

/**
 * The key of an option, `name:algorithm:file`, else the one in the environment, `name:algorithm:secret`; undefined: none is
 * given. The file holds the secret in base64, or a `key` statement of BIND's with it.
 *
 * @throws CommandFailure when it is malformed or cannot be read; it never repeats what may be the secret
 */
export function findTsigKey(option: string | undefined, environment: Environment): TsigKey | undefined {
  const text = option ?? findVariable(environment, TSIG_VARIABLE);
  if (text === undefined) return undefined;
  const found = /^([^:]+):([^:]+):(.+)$/.exec(text);
  if (found === null) {
    throw usage(
      option === undefined
        ? `${TSIG_VARIABLE} is not name:algorithm:secret`
        : '--tsig is not name:algorithm:file',
    );
  }
  const [, name, algorithmName, rest] = found;
  return option === undefined
    ? makeKey(name, algorithmName, rest, TSIG_VARIABLE)
    : makeKey(name, algorithmName, readSecret(rest), rest);
}

function readSecret(path: string): string {
  const content = readKeyFile(path);
  return /\bsecret\s+"?([A-Za-z0-9+/=]+)"?\s*;/.exec(content)?.[1] ?? content;
}

function makeKey(nameText: string, algorithmName: string, secret: string, source: string): TsigKey {
  const name = parseDomainName(nameText);
  if (!name.ok) throw usage(`the TSIG key's name is malformed: ${name.problem}`);
  const lower = algorithmName.toLowerCase();
  if (!Object.hasOwn(algorithms, lower)) {
    throw usage(`the TSIG key's algorithm is not one of ${Object.keys(algorithms).join(', ')}`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(secret)) throw usage(`${source} does not hold a secret in base64`);
  return {
    name: lowerDomainName(name.value),
    algorithm: algorithms[lower],
    secret: Buffer.from(secret, 'base64'),
  };
}

function usage(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, sentence);
}

function algorithm(text: string, hash: string): TsigAlgorithm {
  const name = parseDomainName(text);
  if (!name.ok) throw new TypeError(name.problem);
  return { name: name.value, hash };
}
