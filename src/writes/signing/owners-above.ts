import { escapeLength } from '../../dns/escape.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';

/** The names between an owner and the apex, which comes last; none for the apex. They need not own anything. */
export function* ownersAbove(owner: OwnerKey): Generator<OwnerKey> {
  if (owner === APEX) return;
  for (let at = 0; at < owner.length; at++) {
    if (owner[at] === '\\') at += escapeLength(owner, at) - 1;
    else if (owner[at] === '.') yield owner.slice(at + 1) as OwnerKey;
  }
  yield APEX;
}
