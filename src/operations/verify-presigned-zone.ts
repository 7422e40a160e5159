// Verifies every signature of a zone that another signer has signed, before the zone is served. Threads of Node verify; this
// thread prepares the next sets meanwhile.
import type { GetSignal } from '../base/fair-semaphore.ts';
import { nextTurn } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import { formatDomainName, type DomainName } from '../dns/name.ts';
import { serialLead } from '../dns/serial.ts';
import { formatRecordType } from '../dns/type-mnemonic.ts';
import { signedData } from '../dnssec/signed-data.ts';
import { openVerifyingKey, verifySignature, type VerifyingKey } from '../dnssec/verify-signature.ts';
import { refuseProblems } from '../model/refuse-problems.ts';
import { refused, success, type Result } from '../model/result.ts';
import { FileProblems, type FileSet, type FileSignature } from '../writes/signing/presigned-sets.ts';
import type { PresignedZone } from '../writes/signing/presigned-rows.ts';
import { checkClient } from './run-for-client.ts';

const DAY_SECONDS = 86_400;

/** Each set must have a signature that is valid for so long, so that nobody imports a zone that breaks before a new one comes. */
export const MIN_VALID_SECONDS = DAY_SECONDS;

/** Sets whose signatures are verified at a time: some 5 ms on two threads, and a few hundred kilobytes. */
const SETS_AT_A_TIME = 64;

export interface VerifiedZone {
  /** All sets have a valid signature until then, in seconds since 1970. */
  readonly untilSeconds: number;
  /** Tags of the keys that sign the DNSKEY set, by algorithm and tag as in `nameOf`. */
  readonly keySigners: ReadonlySet<string>;
  /** The same of the SOA record, which stands for the zone. */
  readonly zoneSigners: ReadonlySet<string>;
}

/** A key by what its signatures say of it. */
export function signerName({ algorithm, tag }: { readonly algorithm: number; readonly tag: number }): string {
  return `${algorithm} ${tag}`;
}

/** Reports the first problems. */
export async function verifyPresignedZone(
  { signedSets, keys: dnskeys }: PresignedZone,
  apex: DomainName,
  nowSeconds: number,
  getSignal?: GetSignal,
): Promise<Result<VerifiedZone>> {
  const keys = dnskeys.map(openVerifyingKey).filter((key) => key !== undefined);
  const byName = new Map(keys.map((key) => [signerName(key), key]));
  if (byName.size < keys.length) {
    return refused(
      'invalid_request',
      'Two DNSKEY records have the same tag and algorithm: signatures do not tell them apart',
    );
  }
  const verifying: Verifying = { apex, nowSeconds, keys: byName, problems: new FileProblems() };
  const signal = getSignal?.();
  let untilSeconds = Number.MAX_SAFE_INTEGER;
  const signers = new Map<number, ReadonlySet<string>>();
  for (let start = 0; start < signedSets.length; start += SETS_AT_A_TIME) {
    const sets = signedSets.slice(start, start + SETS_AT_A_TIME);
    const verified = await Promise.all(sets.map((set) => verifySet(set, verifying)));
    for (const [at, { names, lastsSeconds }] of verified.entries()) {
      untilSeconds = Math.min(untilSeconds, nowSeconds + lastsSeconds);
      const { type } = sets[at];
      if (type === rrType.DNSKEY || type === rrType.SOA) signers.set(type, names);
    }
    if (verifying.problems.isFull) break;
    await nextTurn();
    checkClient(signal);
  }
  const { found } = verifying.problems;
  if (found.length > 0) return refuseProblems(found);
  const [keySigners, zoneSigners] = [rrType.DNSKEY, rrType.SOA].map(
    (type) => signers.get(type) ?? new Set<string>(),
  );
  return success({ untilSeconds, keySigners, zoneSigners });
}

interface Verifying {
  readonly apex: DomainName;
  readonly nowSeconds: number;
  readonly keys: ReadonlyMap<string, VerifyingKey>;
  readonly problems: FileProblems;
}

interface VerifiedSet {
  /** The keys whose signatures are valid now. */
  readonly names: ReadonlySet<string>;
  /** How long the last one of these signatures is valid. */
  readonly lastsSeconds: number;
}

/** One valid signature of a published key is enough; none of such a key may be wrong. */
async function verifySet(
  set: FileSet,
  { apex, nowSeconds, keys, problems }: Verifying,
): Promise<VerifiedSet> {
  const names = new Set<string>();
  let lastsSeconds = -1;
  let isKnown = false;
  for (const signature of set.signatures) {
    const key = keys.get(signerName({ algorithm: signature.algorithm, tag: signature.keyTag }));
    if (key === undefined) continue;
    isKnown = true;
    const data = signedData(signature, {
      ...set,
      ...signature,
      owner: set.name,
      ttl: set.ttl,
      apex,
      type: set.type,
    });
    if (!(await verifySignature(key, data, signature.signature))) {
      problems.add(signature, `${describe(set)} a wrong signature of the key ${key.tag}`);
      continue;
    }
    const left = timeLeft(signature, nowSeconds);
    if (left < 0) continue;
    names.add(signerName(key));
    lastsSeconds = Math.max(lastsSeconds, left);
  }
  if (!isKnown) {
    problems.add(
      set,
      `${describe(set)} no signature of a DNSKEY record of the zone with an algorithm that is verified here: 8, 10, 13, 14, 15 and 16`,
    );
  } else if (lastsSeconds < MIN_VALID_SECONDS) {
    problems.add(
      set,
      `${describe(set)} no signature that is valid now and for another day: sign the zone again`,
    );
  }
  return { names, lastsSeconds };
}

/** Negative: the signature is not valid yet, or not any more. Compares modulo 2^32 (RFC 4034 section 3.1.5). */
function timeLeft({ inception, expiration }: FileSignature, nowSeconds: number): number {
  return serialLead(nowSeconds >>> 0, inception) < 0 ? -1 : serialLead(expiration, nowSeconds >>> 0);
}

function describe({ name, type }: FileSet): string {
  return `the ${formatRecordType(type)} records of ${formatDomainName(name)} have`;
}
