import { createZoneKey } from '../dnssec/private-key.ts';
import { signingAlgorithm } from '../dnssec/zone-key.ts';
import { refused, success, type Result } from '../model/result.ts';
import type { SigningEnabled } from '../writes/command.ts';
import type { OperationContext } from './operation-context.ts';

/** Makes the key with which a domain is signed, unless it has one. */
export function wantSigning({ signing, clock, newId }: OperationContext): Result<SigningEnabled> {
  if (signing === undefined) {
    return refused(
      'dnssec_unavailable',
      'This service cannot sign domains yet: its operator has to set the secret that encrypts their keys (ZONEWRIGHT_DNSSEC_SECRET)',
      'dns_sec',
    );
  }
  const { secrets, denial } = signing;
  const createdAtSeconds = Math.floor(clock.nowMs() / 1000);
  // Small signatures, and supported by all validators (RFC 8624 section 3.1).
  const algorithm = signingAlgorithm.ECDSAP256SHA256;
  return success({
    wanted: 'enabled',
    denial,
    key: createZoneKey({ id: newId(), algorithm, createdAtSeconds }, secrets),
  });
}
