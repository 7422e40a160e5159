import type { DomainWrite } from './command.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import type { Refusal } from '../model/refusal.ts';

/**
 * Identifies the content of a domain: a strong entity tag (RFC 9110 section 8.8.3), with its quotes. Renewing signatures
 * raises the serial alone, because nothing changes for a client.
 */
export function revisionOf({ id, revisedSerial }: Pick<Domain, 'id' | 'revisedSerial'>): string {
  return `"${id.toString(16)}-${revisedSerial.toString(16)}"`;
}

/**
 * The revision of a write that other writes of the same batch, with the same serial, have overtaken. No domain ever has
 * it, so that writes on condition of it are refused.
 *
 * @param step the position in the batch; distinguishes the revisions of one serial
 */
export function passedRevision(revision: string, step: number): string {
  return `${revision.slice(0, -1)}-${step.toString(16)}"`;
}

/** The conditions of a write on the domain's revision. */
type Preconditions = Pick<DomainWrite, 'ifMatch' | 'ifNoneMatch'>;

/** Checks the conditions against an existing domain. */
export function checkRevision(domain: Domain, { ifMatch, ifNoneMatch }: Preconditions): Refusal | undefined {
  const revision = revisionOf(domain);
  const isIn = (revisions: readonly string[]): boolean =>
    revisions.includes('*') || revisions.includes(revision);
  if (ifMatch !== undefined && !isIn(ifMatch)) {
    return failedPrecondition(
      `Domain ${quoteText(domain.name)} has been changed: its revision is now ${revision}`,
    );
  }
  if (ifNoneMatch !== undefined && isIn(ifNoneMatch)) {
    return failedPrecondition(`Domain ${quoteText(domain.name)} exists: its revision is ${revision}`);
  }
  return undefined;
}

export function failedPrecondition(message: string): Refusal {
  return { code: 'precondition_failed', message };
}
