import { toAscii } from '../text/name-forms.ts';

export interface TypedName {
  /** Relative to the domain; `''` is the domain itself. */
  readonly name: string;
  /** The domain was typed behind it. */
  readonly hadDomain: boolean;
  /** The whole name, with A-labels. */
  readonly served: string;
}

/** Reads a name as people type it: relative, `@`, or with the domain behind it, which is then not appended twice. */
export function readTypedName(typed: string, domain: string): TypedName {
  const trimmed = typed.trim().replace(/(?<!\\)\.$/, '');
  const ascii = toAscii(trimmed) ?? trimmed.toLowerCase();
  if (trimmed === '' || trimmed === '@') return { name: '', hadDomain: false, served: domain };
  if (ascii === domain) return { name: '', hadDomain: true, served: domain };
  if (ascii.endsWith(`.${domain}`)) {
    const labels = domain.split('.').length;
    const name = trimmed.split('.').slice(0, -labels).join('.');
    return { name, hadDomain: true, served: ascii };
  }
  return { name: trimmed, hadDomain: false, served: `${ascii}.${domain}` };
}
