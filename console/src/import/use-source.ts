import { useCallback, useEffect, useMemo, useState } from 'react';
import { keepTyped, readTyped, type DraftPlace } from '../records/draft-store.ts';
import { placeKey, useDraftPlace } from '../records/use-draft.ts';
import { createValueStore, useStored, type ValueStore } from '../service/value-store.ts';
import { emptySource, type ImportSource } from './import-source.ts';

interface HeldSource {
  readonly shown: ValueStore<ImportSource>;
  /** Undefined: the browser was not asked yet what it keeps. */
  reading?: Promise<void>;
  isWriting: boolean;
}

const held = new Map<string, HeldSource>();

export interface SourceEditor {
  readonly source: ImportSource;
  readonly change: (members: Partial<ImportSource>) => void;
  /** The browser does not keep the source: it is gone when the page is closed. */
  readonly failure: unknown;
}

/** The zone file that is imported into a domain, kept in the browser until it is imported or emptied. */
export function useSource(domain: string): SourceEditor {
  const place = useDraftPlace(domain);
  const holder = useMemo(() => holdSource(place), [place]);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    holder.reading ??= showKept(holder, place);
    holder.reading.catch(setFailure);
  }, [holder, place]);
  const change = useCallback(
    (members: Partial<ImportSource>): void => {
      const { shown } = holder;
      shown.set({ ...shown.get(), ...members });
      keep(holder, place).catch(setFailure);
    },
    [holder, place],
  );
  return { source: useStored(holder.shown), change, failure };
}

function holdSource(place: DraftPlace): HeldSource {
  const key = placeKey(place);
  const holder = held.get(key) ?? { shown: createValueStore(emptySource), isWriting: false };
  held.set(key, holder);
  return holder;
}

/** Somebody who types before the browser has answered goes on typing. */
async function showKept({ shown }: HeldSource, place: DraftPlace): Promise<void> {
  const kept = (await readTyped(place, 'import')) as ImportSource | undefined;
  if (kept !== undefined && shown.get().text === '') shown.set(kept);
}

/** One write at a time: the next one has all that was typed meanwhile. */
async function keep(holder: HeldSource, place: DraftPlace): Promise<void> {
  if (holder.isWriting) return;
  holder.isWriting = true;
  try {
    let written: ImportSource;
    do {
      written = holder.shown.get();
      await keepTyped(place, 'import', written.text === '' ? undefined : written);
    } while (written !== holder.shown.get());
  } finally {
    holder.isWriting = false;
  }
}
