import { parsed, type Parsed } from '../../base/parsed.ts';
import { isBeyondAscii, nameToAscii, type ToAscii } from '../name-to-ascii.ts';
import { DOT_AT_END, formatDomainName, parseDomainName, type DomainName } from '../name.ts';

/** A name of a zone file, and how it is written if it has U-labels, which the name itself cannot have. */
export interface WrittenName {
  readonly name: DomainName;
  /** The complete name with its U-labels as written; undefined if it has none. */
  readonly text?: string | undefined;
}

/** @param toAscii converts U-labels; without it, they are problems */
export function parseWrittenName(
  source: string,
  origin: WrittenName,
  toAscii: ToAscii | undefined,
): Parsed<WrittenName> {
  if (source === '@') return parsed(origin);
  const hasULabels = toAscii !== undefined && isBeyondAscii(source);
  const converted = hasULabels ? nameToAscii(source, toAscii) : undefined;
  if (converted?.ok === false) return converted;
  const ascii = converted?.value.ascii ?? source;
  const name = parseDomainName(ascii, origin.name);
  if (!name.ok) return name;
  if (!hasULabels && origin.text === undefined) return parsed({ name: name.value });
  if (DOT_AT_END.test(ascii)) return parsed({ name: name.value, text: hasULabels ? source : undefined });
  const rest = formatWrittenName(origin);
  return parsed({ name: name.value, text: rest === '.' ? `${source}.` : `${source}.${rest}` });
}

/** The complete name, with its U-labels as written. */
export function formatWrittenName({ name, text }: WrittenName): string {
  return text ?? formatDomainName(name);
}
