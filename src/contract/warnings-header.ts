// The response header with the warnings about a write (contract rule 52): a list of RFC 9651, one member for each warning.
//
//     target_missing;severity=error;name="";type=MX;record="0199…";message="The MX record names …", more;count=3
// Not by way of the registry, which clients in browsers would load for this name alone.
import { formatRecordType } from '../dns/type-mnemonic.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { WarningJson } from './response-shapes.ts';

export const ZONE_WARNINGS_HEADER = 'Zone-Warnings';

/** Some proxies accept no more than 4 KiB in all headers; a warning has about 300 octets. */
const MAX_HEADER_OCTETS = 2048;

/** The member that counts the warnings that did not fit. */
const MORE = 'more';

export function formatWarningsHeader(warnings: readonly ZoneWarning[]): string {
  const members: string[] = [];
  let octets = 0;
  for (const warning of warnings) {
    const member = formatMember(warning);
    octets += member.length + 2;
    if (octets > MAX_HEADER_OCTETS) break;
    members.push(member);
  }
  const left = warnings.length - members.length;
  return [...members, ...(left === 0 ? [] : [`${MORE};count=${left}`])].join(', ');
}

function formatMember({ code, severity, name, type, recordId, message }: ZoneWarning): string {
  const typeText = type === null ? '' : `;type=${formatRecordType(type)}`;
  const record = recordId === null ? '' : `;record=${formatText(recordId)}`;
  return `${code};severity=${severity};name=${formatText(name)}${typeText}${record};message=${formatText(message)}`;
}

/** A String of RFC 9651 section 3.3.3, or a Display String of section 3.3.8 for other than ASCII. */
function formatText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  const encoded = text.replaceAll(/[^\x20-\x7e]+|[%"]/g, (part) =>
    encodeURIComponent(part).replaceAll(/%../g, (octet) => octet.toLowerCase()),
  );
  return `%"${encoded}"`;
}

/** The warnings of a header, and how many more there are; none if the header is absent or has another form. */
export function parseWarningsHeader(text: string): { warnings: WarningJson[]; more: number } {
  const warnings: WarningJson[] = [];
  let more = 0;
  for (const [, code, parameters] of text.matchAll(MEMBER)) {
    const values = new Map(
      [...parameters.matchAll(PARAMETER)].map(([, key, value]) => [key, parseValue(value)]),
    );
    if (code === MORE) more = Number(values.get('count') ?? 0);
    else warnings.push(warningOf(code, values));
  }
  return { warnings, more };
}

const MEMBER = /([a-z_]+)((?:;[a-z]+=(?:%?"(?:[^"\\]|\\.)*"|[\w-]+))*)(?:, |$)/g;
const PARAMETER = /;([a-z]+)=(%?"(?:[^"\\]|\\.)*"|[\w-]+)/g;

function warningOf(code: string, values: ReadonlyMap<string, string>): WarningJson {
  const severity = values.get('severity');
  return {
    code,
    severity: severity === 'error' || severity === 'notice' ? severity : 'warning',
    name: values.get('name') ?? '',
    type: values.get('type') ?? null,
    record: values.get('record') ?? null,
    message: values.get('message') ?? '',
  };
}

function parseValue(value: string): string {
  if (value.startsWith('"')) return value.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  if (!value.startsWith('%"')) return value;
  try {
    return decodeURIComponent(value.slice(2, -1));
  } catch {
    return value.slice(2, -1);
  }
}
