import { createHash } from 'node:crypto';
import { parseDomainName, type DomainName } from '../../dns/name.ts';
import type { KeySets, ServerKeySets } from '../../dns-client/ask-key-sets.ts';
import type { ServerDs } from '../../dns-client/ask-ds.ts';
import { keyTag } from '../../dnssec/zone-key.ts';
import type { KeySetLook } from '../key-set-looks.ts';
import type { NamedKey } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';
import { showKey } from './key-set-obstacles.ts';

const parsed = parseDomainName('example.com.');
if (!parsed.ok) throw new Error(parsed.problem);
export const name: DomainName = parsed.value;

/** A key whose public key consists of one octet, repeated. */
export function keyOf(octet: number, algorithm = 13): NamedKey & { readonly flags: 257 } {
  const dnskey = Uint8Array.from([1, 1, 3, algorithm, ...Array<number>(64).fill(octet)]);
  return { tag: keyTag(dnskey), algorithm, flags: 257, dnskey };
}

export const oldKey = keyOf(1);
export const newKey = keyOf(2);

/** The DS record of a key; types 1, 2 and 4 are digests. Any other type has a digest that nobody can check. */
export function dsOf({ tag, algorithm, dnskey }: NamedKey, digestType = 2): string {
  const algorithms = new Map([
    [1, 'sha1'],
    [2, 'sha256'],
    [4, 'sha384'],
  ]);
  const hash = createHash(algorithms.get(digestType) ?? 'md5');
  const digest = hash.update(name).update(dnskey).digest('hex').toUpperCase();
  return `${tag} ${algorithm} ${digestType} ${digest}`;
}

/** `a` has the addresses 8.8.8.1 and following, one for each answer. `null`: no answer. */
export type DsAnswers = Readonly<Record<string, readonly (readonly string[] | null)[]>>;

/** A look at the parent zone in which each server with DS records has the TTL. */
export function lookOf(servers: DsAnswers, ttl = 3600): ParentLook {
  const all = Object.entries(servers).flatMap(([server, answers]) =>
    answers.map((ds, at): ServerDs => ({
      name: server,
      address: `8.8.8.${at + 1}`,
      ...(ds === null ? { problem: silence } : { ds, ttl: ds.length === 0 ? 900 : ttl }),
    })),
  );
  const maxTtl = all.some((server) => 'ds' in server && server.ds.length > 0) ? ttl : 0;
  return { kind: 'asked', sight: { parent: 'com', servers: all, maxTtl }, atMs: 0 };
}

export const silence = { kind: 'timeout', message: 'it did not answer in time' } as const;

/** The sets of a nameserver that serves the version signed here, with the serial 7 and both keys. */
const servedHere: KeySets = {
  serial: 7,
  signers: [oldKey.tag],
  dnskeys: [showKey(oldKey), showKey(newKey)],
  keysTtl: 60,
  cds: [],
  cdnskeys: [],
};

/** The nameservers `ns1` and following; each differs from the version here by these members. `null`: no answer. */
export function keySetsOf(...servers: readonly (Partial<KeySets> | null)[]): KeySetLook {
  const sight = servers.map((sets, at): ServerKeySets => ({
    name: `ns${at + 1}`,
    address: `8.8.4.${at + 1}`,
    ...(sets === null ? { problem: silence } : { ...servedHere, ...sets }),
  }));
  return { kind: 'asked', sight, atMs: 0 };
}
