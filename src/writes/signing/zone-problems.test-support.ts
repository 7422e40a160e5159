import { expect } from 'vitest';
import { checkSignedZone } from '../../dnssec/check-signed-zone.test-support.ts';
import { decodeHashedName, decodeOwnerSignatures } from '../../model/generated-row.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import { zone } from '../decide-scene.test-support.ts';
import { servedZone } from './served-zone.test-support.ts';
import { hashOf, type SignedScene } from './signed-scene.test-support.ts';

/** Problems of the zone as it is stored: as a validator sees it, and compared with one that is signed as a whole. */
export function problemsOf(scene: SignedScene): string[] {
  const { domain } = scene;
  if (domain === undefined) return [];
  if (domain.contentHash !== hashOf(scene.stored)) return ['the hash of the zone is wrong'];
  if (domain.denial === null) {
    return scene.stored.length === scene.customers.length ? [] : ['an unsigned zone has generated rows'];
  }
  const served = servedZone(scene.stored, zone, domain.denial);
  const problems = checkSignedZone(served, ownerDomainName(APEX, zone), scene.nowSeconds);
  if (domain.recordCount !== scene.customers.length) problems.push('the count of records is wrong');
  const whole = scene.signedAgain();
  expect(scene.stored.map(comparable)).toEqual(whole.map(comparable));
  return problems;
}

/** A row without the octets and times of its signatures. */
function comparable({ id, owner, type, ttl, rdata }: DomainRecord): unknown {
  const row = { id, owner, type, ttl };
  if (id.startsWith('~s')) {
    const signatures = decodeOwnerSignatures(rdata);
    return { ...row, status: signatures?.status, types: signatures?.signatures.map((made) => made.type) };
  }
  if (id.startsWith('~h'))
    return { ...row, hash: Buffer.from(decodeHashedName(rdata)?.hash ?? []).toString('hex') };
  return id.startsWith('~o') ? row : { ...row, rdata: Buffer.from(rdata).toString('hex') };
}
