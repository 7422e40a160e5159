/** All record types whose data we can read and write. A new type is a file in `record-types/` and its lines here. */
import { aaaa } from './record-types/aaaa.ts';
import { a } from './record-types/a.ts';
import { caa } from './record-types/caa.ts';
import { cname } from './record-types/cname.ts';
import { mx } from './record-types/mx.ts';
import { ns } from './record-types/ns.ts';
import { ptr } from './record-types/ptr.ts';
import { soa } from './record-types/soa.ts';
import { srv } from './record-types/srv.ts';
import { sshfp } from './record-types/sshfp.ts';
import { txt } from './record-types/txt.ts';
import type { RecordType } from './record-type.ts';

export { formatRecordType, isDataType, parseRecordType } from './type-mnemonic.ts';

/** In order of mnemonic. */
export const recordTypes: readonly RecordType[] = [a, aaaa, caa, cname, mx, ns, ptr, soa, srv, sshfp, txt];

const byNumber = new Map(recordTypes.map((type) => [type.number, type]));

/** Undefined for types without a declaration: their data is opaque (RFC 3597). */
export function findRecordType(number: number): RecordType | undefined {
  return byNumber.get(number);
}
