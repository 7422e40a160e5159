import type { DomainWrite } from './command.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import type { Refusal } from '../model/refusal.ts';

/** What a domain's content is known by, as a strong entity tag (RFC 9110 section 8.8.3), with its quotes. */
export function revisionOf({ id, serial }: Pick<Domain, 'id' | 'serial'>): string {
  return `"${id.toString(16)}-${serial.toString(16)}"`;
}

/**
 * What is said of a revision that was gone before anybody could see it: other writes came after, in the same serial
 * step. No domain ever has it, so a write on condition of it is refused.
 *
 * @param step tells it from the others of that serial
 */
export function passedRevision(revision: string, step: number): string {
  return `${revision.slice(0, -1)}-${step.toString(16)}"`;
}

/** What a write asks of the revision that a domain is in. */
export type Preconditions = Pick<DomainWrite, 'ifMatch' | 'ifNoneMatch'>;

/** Of a domain that is there. */
export function checkRevision(domain: Domain, { ifMatch, ifNoneMatch }: Preconditions): Refusal | undefined {
  const revision = revisionOf(domain);
  const isIn = (revisions: readonly string[]): boolean =>
    revisions.includes('*') || revisions.includes(revision);
  if (ifMatch !== undefined && !isIn(ifMatch)) {
    return failedPrecondition(
      `Domain ${quoteText(domain.name)} has been changed meanwhile: its revision is ${revision}`,
    );
  }
  if (ifNoneMatch !== undefined && isIn(ifNoneMatch)) {
    return failedPrecondition(`Domain ${quoteText(domain.name)} is there: its revision is ${revision}`);
  }
  return undefined;
}

export function failedPrecondition(message: string): Refusal {
  return { code: 'precondition_failed', message };
}
