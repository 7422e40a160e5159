import { finishSteps } from '../base/steps.ts';
import type { ZoneName } from '../model/domain.ts';
import { parseRecord } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import { checkZone } from './check-zone.ts';
import { noFacts, type ZoneFacts } from './zone-facts.ts';

export const zone = 'example.com' as ZoneName;
const rules = { txtLimitBytes: 4096, defaultTtlSeconds: 300 };

/** Lines of `name [ttl] type data`; `@` is the apex. */
export function zoneOf(lines: readonly string[]): DomainRecord[] {
  return lines.map((line, at) => {
    const [, name, ttl, type, data] = /^(\S+) (?:(\d+) )?([A-Z]+\d*) (.+)$/.exec(line) ?? [];
    const record = parseRecord({ name, type, data, ttl }, zone, rules);
    if (!record.ok) throw new Error(`${line}: ${record.refusal.message}`);
    return { id: `r${at}`, ...record.value };
  });
}

/** `severity code name`, as found. Names that have NS records get a second one. */
export function check(...lines: string[]): string[] {
  const owners = lines.filter((line) => line.includes(' NS ')).map((line) => line.split(' ')[0]);
  const besides = [...new Set(['@', ...owners])].map((name) => `${name} NS ns9.example.net`);
  if (!owners.includes('@')) besides.push('@ NS ns8.example.net');
  return checkExactly([...lines, ...besides]);
}

export function checkExactly(lines: readonly string[], facts: ZoneFacts = noFacts): string[] {
  return warningsOf(lines, facts).map(({ severity, code, name }) => `${severity} ${code} ${name}`);
}

export function warningsOf(lines: readonly string[], facts: ZoneFacts = noFacts): readonly ZoneWarning[] {
  return finishSteps(checkZone(zone, zoneOf(lines), facts));
}
