import { ErrorBand } from '../parts/band.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { describeOutcome } from './describe-outcome.ts';
import { MIN_SEARCH_CHARACTERS, useMaySearchRecords } from './use-found-records.ts';
import type { PaletteGroups } from './use-palette-groups.ts';

interface PaletteOutcomeProps {
  readonly search: string;
  readonly found: PaletteGroups;
  /** All entries that are shown. */
  readonly count: number;
}

/** After the last key, so that a screen reader says the outcome once. */
const SAY_MS = 500;

/** Says how many entries match, and shows what could not be looked through. */
export function PaletteOutcome({ search, found: { records, domains }, count }: PaletteOutcomeProps) {
  const outcome = describeOutcome({
    search,
    count,
    shownRecords: records.records.length,
    totalRecords: records.total,
    isSearching: records.isSearching,
    hasFailed: records.error !== null || domains.isError,
    isShort: search.length < MIN_SEARCH_CHARACTERS,
    maySearchRecords: useMaySearchRecords(),
    isPart: domains.isPart,
  });
  return (
    <>
      <p className="small muted" aria-hidden="true">
        {outcome}
      </p>
      <span className="hidden" role="status">
        {useSettled(outcome, SAY_MS)}
      </span>
      <ErrorBand error={records.error} onRepeat={records.searchAgain} />
      <ErrorBand error={domains.error} onRepeat={() => void domains.refetch()} />
    </>
  );
}
