/**
 * Why a domain is stored, listed and edited, but served by no nameserver: nobody has shown control of it, or its account is
 * suspended and its answers have ended.
 */
export type WithholdReason = 'suspended' | 'unverified';

/** In alphabetical order; none: the domain is served. */
export type WithholdReasons = readonly WithholdReason[];

/** Whether nameservers answer for a domain. */
export function isServed({ withheld }: { readonly withheld: WithholdReasons }): boolean {
  return withheld.length === 0;
}

export function withReason(reasons: WithholdReasons, reason: WithholdReason): WithholdReasons {
  return reasons.includes(reason) ? reasons : [...reasons, reason].sort();
}

export function withoutReason(reasons: WithholdReasons, reason: WithholdReason): WithholdReasons {
  return reasons.includes(reason) ? reasons.filter((other) => other !== reason) : reasons;
}

/** The text that a store keeps; null: the domain is served. */
export function formatReasons(reasons: WithholdReasons): string | null {
  return reasons.length === 0 ? null : reasons.join(' ');
}

/** @param text of `formatReasons` */
export function parseReasons(text: string | null): WithholdReasons {
  return text === null ? [] : (text.split(' ') as WithholdReason[]);
}
