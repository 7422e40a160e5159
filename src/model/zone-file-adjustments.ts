/**
 * Differences between a zone file and what is stored of it that lose no data. They are counted by kind, with the first
 * few records of each as examples.
 */
export interface Adjustment {
  readonly code: AdjustmentCode;
  readonly count: number;
  /** One sentence, without the count. */
  readonly message: string;
  readonly examples: readonly AdjustedRecord[];
}

export interface AdjustedRecord {
  readonly line: number;
  /** In zone file format. */
  readonly record: string;
}

/** The sentences, by code. `owner_case`: owner names are compared and exported in lower case (RFC 4343). */
const messages = {
  default_ttl: 'the record has no TTL, and gets the default TTL of this service',
  duplicate: 'the file has the record more than once, and it is imported once',
  owner_case: 'the case of the owner name is shown, but DNS ignores it, and exports have lower case',
} as const;

export type AdjustmentCode = keyof typeof messages;

export const adjustmentCodes = Object.keys(messages) as AdjustmentCode[];

/** Enough to find the others in the file. */
const MAX_EXAMPLES = 5;

export class ZoneFileAdjustments {
  private readonly found = new Map<AdjustmentCode, { count: number; examples: AdjustedRecord[] }>();

  /** @param describe is only called for examples */
  add(code: AdjustmentCode, describe: () => AdjustedRecord): void {
    const kind = this.found.get(code) ?? { count: 0, examples: [] };
    kind.count++;
    if (kind.examples.length < MAX_EXAMPLES) kind.examples.push(describe());
    this.found.set(code, kind);
  }

  list(): readonly Adjustment[] {
    return adjustmentCodes.flatMap((code) => {
      const kind = this.found.get(code);
      return kind === undefined ? [] : [{ code, message: messages[code], ...kind }];
    });
  }
}
