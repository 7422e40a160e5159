// Parses the query parameters `serial` and `wait` of a domain's propagation (contract rule 37).
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { quoteText } from '../model/quote-text.ts';
import { firstText } from './page-query.ts';

export interface PropagationQuery {
  /** Null: the domain's current serial. */
  readonly serial: number | null;
  readonly waitSeconds: number;
}

export type ParsedPropagationQuery =
  | { readonly ok: true; readonly value: PropagationQuery }
  | { readonly ok: false; readonly problem: string; readonly field: 'serial' | 'wait' };

/** 32 bits (RFC 1982). */
export const MAX_SERIAL = 4_294_967_295;

/** Load balancers usually cut connections that are silent for longer. */
export const MAX_WAIT_SECONDS = 60;

/** If a parameter is given twice, the first value counts. */
export function parsePropagationQuery(query: Readonly<Record<string, unknown>>): ParsedPropagationQuery {
  const serial = parseWhole(firstText(query['serial']), 'serial', MAX_SERIAL);
  if (!serial.ok) return { ...serial, field: 'serial' };
  const wait = parseWhole(firstText(query['wait']), 'wait', MAX_WAIT_SECONDS);
  if (!wait.ok) return { ...wait, field: 'wait' };
  return { ok: true, value: { serial: serial.value, waitSeconds: wait.value ?? 0 } };
}

function parseWhole(text: string | undefined, member: string, max: number): Parsed<number | null> {
  if (text === undefined) return parsed(null);
  if (/^[0-9]{1,10}$/.test(text) && Number(text) <= max) return parsed(Number(text));
  return malformed(`${member} must be a whole number from 0 to ${max}, not ${quoteText(text)}`);
}
