import { createHash } from 'node:crypto';
import type { DomainName } from '../dns/name.ts';

/** A key of a domain, as far as a DS record names it. */
export interface NamedKey {
  readonly tag: number;
  readonly algorithm: number;
  /** RDATA of the DNSKEY record. */
  readonly dnskey: Uint8Array;
}

/** The digest types that validating resolvers know (RFC 8624 section 3.3), by number. */
const digestNames: ReadonlyMap<number, string> = new Map([
  [1, 'sha1'],
  [2, 'sha256'],
  [4, 'sha384'],
]);

/** SHA-256: the only type that each resolver has to know and may be published (RFC 8624 section 3.3). */
const WANTED_DIGEST_TYPE = 2;

/**
 * The RDATA of the DS record that the parent zone has to have, in presentation format: `27933 13 2 E2D3…`.
 *
 * @param domain in lower case (RFC 4034 section 5.1.4)
 */
export function formatWantedDs(domain: DomainName, key: NamedKey): string {
  const { tag, algorithm } = key;
  const digest = digestOf(domain, key, WANTED_DIGEST_TYPE) ?? '';
  return formatDs({ tag, algorithm, digestType: WANTED_DIGEST_TYPE, digest });
}

/** Whether a DS record names one of the keys, with any digest. @param ds in presentation format, as `askDs` returns it */
export function namesKey(ds: string, domain: DomainName, keys: readonly NamedKey[]): boolean {
  const { tag, algorithm, digestType, digest } = readDs(ds);
  return keys.some(
    (key) => key.tag === tag && key.algorithm === algorithm && digestOf(domain, key, digestType) === digest,
  );
}

/** The fields of a DS record in presentation format, as forms of registrars ask for them. */
export interface DsFields {
  readonly tag: number;
  readonly algorithm: number;
  readonly digestType: number;
  /** Hexadecimal digits in upper case. */
  readonly digest: string;
}

export function readDs(ds: string): DsFields {
  const [tag, algorithm, digestType, ...digest] = ds.trim().split(/\s+/);
  return {
    tag: Number(tag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: digest.join('').toUpperCase(),
  };
}

/** The opposite of `readDs`, as `askDs` writes DS records. */
export function formatDs({ tag, algorithm, digestType, digest }: DsFields): string {
  return `${tag} ${algorithm} ${digestType} ${digest}`;
}

/** Returns undefined for a type that is not known. */
function digestOf(domain: DomainName, { dnskey }: NamedKey, digestType: number): string | undefined {
  const name = digestNames.get(digestType);
  if (name === undefined) return undefined;
  return createHash(name).update(domain).update(dnskey).digest('hex').toUpperCase();
}
