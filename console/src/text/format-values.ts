// Times and numbers as people write them, by the locale of the browser.
const numbers = new Intl.NumberFormat();
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exactTimes = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const lists = new Intl.ListFormat();
const ages = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** @param date RFC 3339 */
export function formatDate(date: string): string {
  return dates.format(new Date(date));
}

export function formatTime(date: string | number): string {
  return times.format(new Date(date));
}

/** With the day of the week, seconds and the time zone. */
export function formatExactTime(date: string): string {
  return exactTimes.format(new Date(date));
}

export function formatClock(ms: number): string {
  return clock.format(new Date(ms));
}

const octetUnits = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
] as const;
const shortNumbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** `4 GiB`, `12.5 MiB`, `512 B`. */
export function formatOctets(octets: number): string {
  const [unit, size] = octetUnits.find(([, least]) => octets >= least) ?? ['B', 1];
  return `${shortNumbers.format(octets / size)} ${unit}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ageUnits = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1],
] as const;

/** `Anna, Ben and Clara`. */
export function formatList(names: readonly string[]): string {
  return lists.format(names);
}

/** `in 2 days`, `4 minutes ago`. */
export function formatDistance(date: string | number, nowMs = Date.now()): string {
  const seconds = (new Date(date).getTime() - nowMs) / 1000;
  const [unit, size] = ageUnits.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return ages.format(Math.trunc(seconds / size), unit);
}

const durationUnits = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1],
] as const;

/** Making one takes longer than rendering a row. */
const durations = {
  day: unitFormat('day'),
  hour: unitFormat('hour'),
  minute: unitFormat('minute'),
  second: unitFormat('second'),
};

function unitFormat(unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' });
}

/** `1 hr`, `5 min`, `90 sec`: in the largest unit that divides it. */
export function formatDuration(seconds: number): string {
  const [unit, size] = durationUnits.find(([, length]) => seconds % length === 0 && seconds >= length) ?? [
    'second',
    1,
  ];
  return durations[unit].format(seconds / size);
}
