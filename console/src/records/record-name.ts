import { splitLabels } from '../../../src/dns/split-labels.ts';
import { toAscii, toUnicode } from '../text/name-forms.ts';

export interface TypedName {
  /** Relative to the domain, to be shown; `''` is the domain itself. */
  readonly name: string;
  /** The domain was typed behind it. */
  readonly hadDomain: boolean;
  /** The whole name, with A-labels. */
  readonly served: string;
}

/**
 * Reads a name as the service will (contract rule 21): relative, `@`, or with the domain behind it, which is then not appended twice.
 * Only for showing it: what was typed is sent as it is, because some names that were read may not be shortened again.
 */
export function readTypedName(typed: string, domain: string): TypedName {
  const trimmed = typed.trim().replace(/(?<!\\)[.\u3002\uff0e\uff61]$/, '');
  if (trimmed === '' || trimmed === '@') return { name: '', hadDomain: false, served: domain };
  const ascii = toAscii(trimmed) ?? trimmed.toLowerCase();
  const labels = splitLabels(ascii);
  const behind = domain.split('.');
  const hadDomain = labels.slice(-behind.length).join('.') === domain;
  if (!hadDomain) return { name: trimmed, hadDomain, served: `${ascii}.${domain}` };
  return { name: toUnicode(labels.slice(0, -behind.length).join('.')), hadDomain, served: ascii };
}

/** The name to stage. @param before as the record has it, if there is one */
export function stagedName(typed: string, before: string | undefined): string {
  const trimmed = typed.trim();
  return before !== undefined && trimmed === before.trim() ? before : trimmed === '@' ? '' : trimmed;
}
