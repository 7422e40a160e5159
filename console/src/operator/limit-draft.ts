// The limits of an account as they are typed. Knows no screen.
import type { LimitsJson } from '../../../src/contract/response-shapes.ts';

export type LimitName = keyof LimitsJson;
export type LimitNumbers = Readonly<Record<LimitName, number>>;
/** Empty: the default of the service. */
export type LimitDraft = Readonly<Record<LimitName, string>>;

export const limitNames = [
  'domains',
  'records',
  'records_per_domain',
  'keys',
  'octets',
  'history_octets',
  'trail_octets',
  'outcome_octets',
  'cost_per_minute',
] as const satisfies readonly LimitName[];

const units: Readonly<Record<string, number>> = {
  '': 1,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

export function isOctets(name: LimitName): boolean {
  return name.endsWith('octets');
}

export function limitNumbers(limits: LimitsJson): LimitNumbers {
  const numbers = limitNames.map((name) => [name, limits[name].limit] as const);
  return Object.fromEntries(numbers) as LimitNumbers;
}

export function draftOfLimits(limits: LimitNumbers, defaults: LimitNumbers): LimitDraft {
  const texts = limitNames.map(
    (name) => [name, limits[name] === defaults[name] ? '' : writeLimit(name, limits[name])] as const,
  );
  return Object.fromEntries(texts) as LimitDraft;
}

/** Octets in the largest unit that says it exactly. */
export function writeLimit(name: LimitName, limit: number): string {
  if (!isOctets(name) || limit === 0) return String(limit);
  const unit = (['TiB', 'GiB', 'MiB', 'KiB'] as const).find(
    (one) => limit % (units[one.toLowerCase()] ?? 1) === 0,
  );
  return unit === undefined ? String(limit) : `${limit / (units[unit.toLowerCase()] ?? 1)} ${unit}`;
}

/** Undefined for what is no limit; the service has the last word. */
export function readLimit(name: LimitName, text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,16})\s*((?:[kmgt]ib)?)$/i.exec(ungroup(text.trim())) ?? [];
  if (digits === '' || (unit !== '' && !isOctets(name))) return undefined;
  const limit = Number(digits) * (units[unit.toLowerCase()] ?? 1);
  return Number.isSafeInteger(limit) ? limit : undefined;
}

/** Thousands may be set apart, though not by points, which are decimal to others. */
function ungroup(text: string): string {
  return text.replaceAll(/(?<=\d)[,'’\s](?=\d{3}(?!\d))/g, '');
}

/** The body of the request; undefined if one is no limit. */
export function limitsOfDraft(draft: LimitDraft): Partial<Record<LimitName, number>> | undefined {
  const given = limitNames.filter((name) => draft[name].trim() !== '');
  const limits = given.map((name) => [name, readLimit(name, draft[name])] as const);
  return limits.every(([, limit]) => limit !== undefined) ? Object.fromEntries(limits) : undefined;
}
