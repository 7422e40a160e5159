import type { ParentDs } from './parent-ds.ts';

/**
 * Says what a signed zone at the old provider means for the move. This service does not sign: while the parent zone has
 * a DS record, validating resolvers reject unsigned answers (RFC 4035 section 5.2).
 *
 * @param parent undefined if the parent was not asked
 */
export function describeSignedSource(domain: string, parent: ParentDs | undefined): string {
  return `the zone is signed there, but not here: ${describeParent(domain, parent)}`;
}

/** Returns undefined if there is nothing to say about a domain of which only the parent is known. */
export function describeParentOnly(domain: string, parent: ParentDs | undefined): string | undefined {
  if (parent === undefined || parent.state === 'absent') return undefined;
  return parent.state === 'present'
    ? `this service does not sign, but ${describeParent(domain, parent)}`
    : describeParent(domain, parent);
}

function describeParent(domain: string, parent: ParentDs | undefined): string {
  const todo =
    'have it removed at the registrar, and wait until its TTL has passed, before the delegation changes';
  switch (parent?.state) {
    case 'present':
      return `the parent zone has the DS record ${parent.records.join(' and ')}: ${todo}`;
    case 'absent':
      return 'the parent zone has no DS record, so the delegation can change';
    case 'unknown':
      return `it is not known whether the parent zone has a DS record for ${domain} (${parent.reason}); if it has, ${todo}`;
    case undefined:
      return `if the parent zone has a DS record for ${domain}, ${todo}`;
  }
}
