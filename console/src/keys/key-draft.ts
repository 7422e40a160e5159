// Turns the fields of a new key into a request and a command line. Knows no screen.
import type { KeyTemplate } from '../../../src/contract/key-shape.ts';
import type { service } from '../service/service-client.ts';
import { quote } from '../service/format-curl.ts';
import { toAscii } from '../text/name-forms.ts';
import { splitWords } from '../text/split-words.ts';

export type KeyKind = Exclude<KeyTemplate, 'metrics'> | 'read' | 'full' | 'custom';

/** Lists as they are typed, with spaces or commas between. */
export interface RightDraft {
  readonly may: readonly string[];
  readonly domains: string;
  readonly names: string;
  readonly types: string;
}

export interface KeyDraft {
  readonly kind: KeyKind;
  readonly label: string;
  readonly host: string;
  readonly networks: string;
  /** `0`: it does not end. */
  readonly days: number;
  readonly rights: readonly RightDraft[];
}

export type KeyBody = Parameters<typeof service.keys.create>[0];

export const emptyRight: RightDraft = { may: [], domains: '', names: '', types: '' };

export const emptyKey: KeyDraft = {
  kind: 'certificates',
  label: '',
  host: '',
  networks: '',
  days: 90,
  rights: [emptyRight],
};

/** `names` and `types` limit only records, and seeing their domains. */
export function canLimitRecords({ may }: RightDraft): boolean {
  return may.length > 0 && may.every((name) => name.startsWith('records:') || name === 'domains:read');
}

export function canLimitDomains({ may }: RightDraft): boolean {
  return may.length > 0 && may.every((name) => /^(?:records|domains|zones):/.test(name));
}

/** Whether something is still to be entered, so that asking the service makes no sense. */
export function isIncomplete({ kind, label, host, rights }: KeyDraft): boolean {
  if (label.trim() === '') return true;
  if (kind === 'certificates' || kind === 'address') return host.trim() === '';
  return kind === 'custom' && rights.some(({ may }) => may.length === 0);
}

export function bodyOfKey(draft: KeyDraft, nowMs: number): KeyBody {
  const networks = splitWords(draft.networks);
  return {
    label: draft.label.trim(),
    ...rightsOf(draft),
    ...(networks.length > 0 && { networks }),
    ...(draft.days > 0 && { date_expires: endOf(draft.days, nowMs) }),
  };
}

function rightsOf({ kind, host, rights }: KeyDraft): Partial<KeyBody> {
  if (kind === 'read' || kind === 'full') return { scope: kind };
  if (kind !== 'custom') return { template: kind, host: asciiOf(host.trim()) };
  return {
    rights: rights.map((right) => ({
      may: right.may,
      ...listOf('domains', canLimitDomains(right) ? splitWords(right.domains).map(asciiOf) : []),
      ...listOf('names', canLimitRecords(right) ? splitWords(right.names) : []),
      ...listOf('types', canLimitRecords(right) ? splitWords(right.types.toUpperCase()) : []),
    })),
  };
}

function listOf(member: 'domains' | 'names' | 'types', words: readonly string[]) {
  return words.length > 0 ? { [member]: words } : {};
}

/** The service says what is wrong with a name that the browser cannot convert. */
function asciiOf(name: string): string {
  return toAscii(name) ?? name;
}

const DAY_MS = 86_400_000;

/** To the minute, so that the same draft makes the same request for a while. */
function endOf(days: number, nowMs: number): string {
  return new Date(Math.floor(nowMs / 60_000) * 60_000 + days * DAY_MS).toISOString();
}

/** Undefined: the command line knows only one right a key. */
export function commandOfKey(body: KeyBody): string | undefined {
  const rights = body.rights ?? [];
  if (rights.length > 1) return undefined;
  const right = rights.at(0);
  return [
    'zonewright key create',
    ...option('label', [body.label ?? '']),
    ...option('scope', body.scope ? [body.scope] : []),
    ...option('template', body.template ? [body.template] : []),
    ...option('host', body.host ? [body.host] : []),
    ...option('may', right?.may ?? []),
    ...option('domain', right?.domains ?? []),
    ...option('name', right?.names ?? []),
    ...option('type', right?.types ?? []),
    ...option('network', body.networks ?? []),
    ...option('expires', body.date_expires === undefined ? [] : [body.date_expires]),
  ].join(' ');
}

function option(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`--${name}`, ...values.map(quote)];
}
