import { madeAlgorithm } from '../dnssec/zone-key.ts';
import { success, type Result } from '../model/result.ts';
import type { SigningEnabled } from '../writes/command.ts';
import { makeZoneKey } from './make-zone-key.ts';
import type { OperationContext } from './operation-context.ts';

/** Makes the key with which a domain is signed, unless it has one. */
export function wantSigning(context: OperationContext): Result<SigningEnabled> {
  // Small signatures, and supported by all validators (RFC 8624 section 3.1).
  const made = makeZoneKey(context, madeAlgorithm.ECDSAP256SHA256, { field: 'dns_sec' });
  return made.ok ? success({ wanted: 'enabled', ...made.value }) : made;
}
