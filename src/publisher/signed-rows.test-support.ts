/** Rows of a small signed zone, and a source that serves them: what a store would return and send. */

import { createHash } from 'node:crypto';
import { rrType } from '../dns/codes.ts';
import { ownerStatus } from '../dns/proven-types.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import type { ZoneName } from '../model/domain.ts';
import {
  encodeHashedName,
  encodeOwnerSignatures,
  encodeSignedSoa,
  generatedType,
  SOA_OWNER,
} from '../model/generated-row.ts';
import type { OwnerKey } from '../model/record.ts';
import { soaOf } from '../model/soa.ts';
import type { ServedRecord, ZoneHead, ZoneUpdate } from '../model/zone-update.ts';
import type { ZoneSource } from '../store/store.ts';

export const zone = 'example.com' as ZoneName;
export const soa = { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' };

/** The rows of each owner. */
export type Rows = Readonly<Record<string, readonly ServedRecord[]>>;

const { A, NS, NSEC, NSEC3, SOA } = rrType;
/** `ns1.example.net.` */
const nameserver = Uint8Array.of(3, 110, 115, 49, 7, 101, 120, 97, 109, 112, 108, 101, 3, 110, 101, 116, 0);

export function headOf(serial: number): ZoneHead {
  return { domainId: 1, name: zone, serial, soaPrimary: null, soaEmail: null };
}

export function addressRow(last: number): ServedRecord {
  return { type: A, ttl: 300, rdata: Uint8Array.of(192, 0, 2, last) };
}

export function signatureOf(type: number, serial: number): StoredSignature {
  const octets = createHash('sha512').update(`${type} ${serial}`).digest();
  const times = { inception: 1_700_000_000 + serial, expiration: 1_701_000_000 + serial };
  return { type, keyTag: 4711, algorithm: 13, ...times, signature: new Uint8Array(octets) };
}

export function signaturesRow(types: readonly number[], serial: number): ServedRecord {
  const signatures = types.map((type) => signatureOf(type, serial));
  return generated(generatedType.signatures, encodeOwnerSignatures(ownerStatus.AUTHORITATIVE, signatures));
}

export function hashRow(owner: string, serial: number): ServedRecord {
  const hash = new Uint8Array(createHash('sha1').update(owner).digest());
  return generated(
    generatedType.hashedName,
    encodeHashedName({ hash, signatures: [signatureOf(NSEC3, serial)] }),
  );
}

export function soaRow(serial: number): ServedRecord {
  const rdata = soaOf(headOf(serial), { ...soa, nameservers: ['pinned.example.net'] }).rdata;
  const octets = encodeSignedSoa({ rdata, signatures: [signatureOf(SOA, serial)] });
  return { type: generatedType.signedSoa, ttl: 1800, rdata: octets };
}

/** A zone with the apex, `www` and `a.b`; the NS record of the apex is a generated row in a signed zone. */
export function rowsOf(denial: 'nsec' | 'nsec3' | undefined, serial: number): Rows {
  const owners = ['www', 'a.b'];
  if (denial === undefined)
    return Object.fromEntries([['', []], ...owners.map((owner, i) => [owner, [addressRow(i)]])]) as Rows;
  const also = (owner: string): ServedRecord[] => (denial === 'nsec3' ? [hashRow(owner, serial)] : []);
  const types = denial === 'nsec' ? [NSEC] : [];
  return {
    '': [{ type: NS, ttl: 3600, rdata: nameserver }, ...also(''), signaturesRow([NS, ...types], serial)],
    [SOA_OWNER]: [soaRow(serial)],
    ...Object.fromEntries(
      owners.map((owner, i) => [
        owner,
        [addressRow(i), ...also(owner), signaturesRow([A, ...types], serial)],
      ]),
    ),
    ...(denial === 'nsec3' && { b: also('b') }),
  };
}

/** Serves what it was last given, one zone. */
export interface RowSource extends ZoneSource {
  /** Sends all owners that differ. */
  change(rows: Rows, serial: number): void;
}

export function rowSource(first: Rows, firstSerial = 1): RowSource {
  let rows = first;
  let serial = firstSerial;
  let listen: (updates: readonly ZoneUpdate[]) => void = () => undefined;
  return {
    onUpdate: (listener) => {
      listen = listener;
    },
    accountOf: () => 'account',
    hostedCount: () => 1,
    hostedNames: (after) => (after === '' ? [zone] : []),
    readZone: () => ({
      head: headOf(serial),
      accountId: 'account',
      recordCount: Object.values(rows).flat().length,
      records: Object.entries(rows)
        .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
        .flatMap(([owner, records]) => records.map((record) => ({ ...record, owner: owner as OwnerKey }))),
    }),
    change: (next, nextSerial) => {
      const owners = [...new Set([...Object.keys(rows), ...Object.keys(next)])]
        .filter((owner) => rows[owner] !== next[owner])
        .map((owner) => ({ owner: owner as OwnerKey, records: next[owner] ?? [] }));
      [rows, serial] = [next, nextSerial];
      listen([{ kind: 'changed', head: headOf(serial), created: false, owners }]);
    },
  };
}

function generated(type: number, rdata: Uint8Array): ServedRecord {
  return { type, ttl: 0, rdata };
}
