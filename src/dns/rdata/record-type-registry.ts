/** The record types whose data we can read and write. To add a type, add a file to `record-types/` and list it here. */
import { a } from '../record-types/a.ts';
import { aaaa } from '../record-types/aaaa.ts';
import { afsdb } from '../record-types/afsdb.ts';
import { amtrelay } from '../record-types/amtrelay.ts';
import { apl } from '../record-types/apl.ts';
import { caa } from '../record-types/caa.ts';
import { cdnskey } from '../record-types/cdnskey.ts';
import { cds } from '../record-types/cds.ts';
import { cert } from '../record-types/cert.ts';
import { cname } from '../record-types/cname.ts';
import { csync } from '../record-types/csync.ts';
import { dhcid } from '../record-types/dhcid.ts';
import { dname } from '../record-types/dname.ts';
import { dnskey } from '../record-types/dnskey.ts';
import { ds } from '../record-types/ds.ts';
import { dsync } from '../record-types/dsync.ts';
import { eui48 } from '../record-types/eui48.ts';
import { eui64 } from '../record-types/eui64.ts';
import { hinfo } from '../record-types/hinfo.ts';
import { hip } from '../record-types/hip.ts';
import { https } from '../record-types/https.ts';
import { ipseckey } from '../record-types/ipseckey.ts';
import { kx } from '../record-types/kx.ts';
import { l32 } from '../record-types/l32.ts';
import { l64 } from '../record-types/l64.ts';
import { loc } from '../record-types/loc.ts';
import { lp } from '../record-types/lp.ts';
import { mx } from '../record-types/mx.ts';
import { naptr } from '../record-types/naptr.ts';
import { nid } from '../record-types/nid.ts';
import { ns } from '../record-types/ns.ts';
import { nsec } from '../record-types/nsec.ts';
import { nsec3 } from '../record-types/nsec3.ts';
import { nsec3param } from '../record-types/nsec3param.ts';
import { openpgpkey } from '../record-types/openpgpkey.ts';
import { ptr } from '../record-types/ptr.ts';
import { resinfo } from '../record-types/resinfo.ts';
import { rp } from '../record-types/rp.ts';
import { rrsig } from '../record-types/rrsig.ts';
import { smimea } from '../record-types/smimea.ts';
import { soa } from '../record-types/soa.ts';
import { spf } from '../record-types/spf.ts';
import { srv } from '../record-types/srv.ts';
import { sshfp } from '../record-types/sshfp.ts';
import { svcb } from '../record-types/svcb.ts';
import { tlsa } from '../record-types/tlsa.ts';
import { txt } from '../record-types/txt.ts';
import { uri } from '../record-types/uri.ts';
import { wallet } from '../record-types/wallet.ts';
import { x25 } from '../record-types/x25.ts';
import { zonemd } from '../record-types/zonemd.ts';
import type { RecordType } from '../record-type.ts';

export { formatRecordType, isDataType, parseRecordType } from '../type-mnemonic.ts';

/** Sorted by mnemonic. */
export const recordTypes: readonly RecordType[] = [
  a,
  aaaa,
  afsdb,
  amtrelay,
  apl,
  caa,
  cdnskey,
  cds,
  cert,
  cname,
  csync,
  dhcid,
  dname,
  dnskey,
  ds,
  dsync,
  eui48,
  eui64,
  hinfo,
  hip,
  https,
  ipseckey,
  kx,
  l32,
  l64,
  loc,
  lp,
  mx,
  naptr,
  nid,
  ns,
  nsec,
  nsec3,
  nsec3param,
  openpgpkey,
  ptr,
  resinfo,
  rp,
  rrsig,
  smimea,
  soa,
  spf,
  srv,
  sshfp,
  svcb,
  tlsa,
  txt,
  uri,
  wallet,
  x25,
  zonemd,
];

const byNumber = new Map(recordTypes.map((type) => [type.number, type]));

/** Returns undefined for types without a declaration, whose data is opaque (RFC 3597). */
export function findRecordType(number: number): RecordType | undefined {
  return byNumber.get(number);
}
