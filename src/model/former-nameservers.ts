/**
 * Begins the ids under which the nameservers are kept that all domains had before accounts had sets of their own; no account has
 * such an id.
 */
const PREFIX = 'former ';

/** @param digest tells sets from each other */
export function formerNameserversId(digest: string): string {
  return `${PREFIX}${digest}`;
}

export function isFormerNameserversId(id: string): boolean {
  return id.startsWith(PREFIX);
}
