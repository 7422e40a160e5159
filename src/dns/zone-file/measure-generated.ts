import type { Steps } from '../../base/steps.ts';
import { MAX_GENERATED_CHARACTERS, MAX_GENERATED_RECORDS, parseGenerate } from './generate-directive.ts';
import { linesOf } from './read-zone-file.ts';
import { isProblem, readEntries } from './zone-file-entries.ts';

/** The records that the `$GENERATE` directives of a zone file make. */
export interface GeneratedSize {
  readonly records: number;
  /** Estimated from the last record of each directive. */
  readonly characters: number;
}

/** Most files have none, which a search finds out faster than reading the entries. */
const HAS_GENERATE = /\$generate/i;

/** Entries read in a step: less than a millisecond. */
const ENTRIES_A_STEP = 1000;

/** Counts the records that the directives would make, without making them; at most what a file may make. */
export function* measureGenerated(text: string): Steps<GeneratedSize> {
  let [records, characters] = [0, 0];
  if (HAS_GENERATE.test(text)) {
    let entries = 0;
    for (const entry of readEntries(linesOf(text))) {
      if (++entries % ENTRIES_A_STEP === 0) yield;
      if (isProblem(entry) || entry.isIndented) continue;
      if (entry.tokens[0].source.toUpperCase() !== '$GENERATE') continue;
      const directive = parseGenerate(entry.tokens);
      if (!directive.ok) continue;
      records += directive.value.count;
      characters += directive.value.characters;
    }
  }
  return {
    records: Math.min(records, MAX_GENERATED_RECORDS),
    characters: Math.min(characters, MAX_GENERATED_CHARACTERS),
  };
}
