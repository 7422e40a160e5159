import type { SentIndexes } from './record-changes.ts';

/**
 * Differences between the records of an import and what is stored of them that lose no data. They are counted by kind, with
 * the first few records of each as examples. Other spellings that mean the same (a full name, an escape, a time with units)
 * do not count.
 */
export interface Adjustment {
  readonly code: AdjustmentCode;
  readonly count: number;
  /** One sentence, without the count. */
  readonly message: string;
  readonly examples: readonly AdjustedRecord[];
}

export interface AdjustedRecord {
  /** In a zone file, from 1. */
  readonly line?: number;
  /** In a list of records, from 0. */
  readonly index?: number;
  /** In zone file format; of a list, as it was sent. */
  readonly record: string;
}

/** The sentences, by code. `owner_case`: owner names are compared and exported in lower case (RFC 4343). */
const messages = {
  default_ttl: 'the record has no TTL, or 0 in JSON, and gets the default TTL of this service',
  default_priority: 'the record has no priority, and gets 0',
  duplicate: 'the record is sent more than once, and is imported once',
  owner_case: 'the case of the owner name is shown, but DNS ignores it, and exports have lower case',
  existing_spelling: 'the record exists already in another spelling, which it keeps',
  final_dot: 'the final dot of the name is removed, because the name is relative to the domain',
  text_joined:
    'the quoted strings are joined: in JSON, TXT data is one text, which DNS gets in strings of 255 octets',
  text_cut: 'DNS gets the text in strings of 255 octets',
  soa_times: 'the TTL and the times of the SOA record are those of this service',
} as const;

export type AdjustmentCode = keyof typeof messages;

export const adjustmentCodes = Object.keys(messages) as AdjustmentCode[];

/** Enough to find the others. */
export const MAX_ADJUSTMENT_EXAMPLES = 5;

export class ImportAdjustments {
  private readonly found = new Map<AdjustmentCode, { count: number; examples: AdjustedRecord[] }>();

  /** @param describe is only called for examples */
  add(code: AdjustmentCode, describe: () => AdjustedRecord): void {
    const kind = this.kindOf(code);
    kind.count++;
    if (kind.examples.length < MAX_ADJUSTMENT_EXAMPLES) kind.examples.push(describe());
  }

  addAll(
    code: AdjustmentCode,
    { count, first }: SentIndexes,
    describe: (index: number) => AdjustedRecord,
  ): void {
    if (count === 0) return;
    const kind = this.kindOf(code);
    kind.count += count;
    kind.examples.push(...first.slice(0, MAX_ADJUSTMENT_EXAMPLES - kind.examples.length).map(describe));
  }

  list(): readonly Adjustment[] {
    return adjustmentCodes.flatMap((code) => {
      const kind = this.found.get(code);
      return kind === undefined ? [] : [{ code, message: messages[code], ...kind }];
    });
  }

  private kindOf(code: AdjustmentCode): { count: number; examples: AdjustedRecord[] } {
    const kind = this.found.get(code) ?? { count: 0, examples: [] };
    this.found.set(code, kind);
    return kind;
  }
}
