import type { ZoneSnapshot } from '../store.ts';

/** Reads a zone and passes on errors, also those that are found while its records are read, before they are thrown. */
export function readWatched(
  read: () => ZoneSnapshot | undefined,
  onError: (error: unknown) => void,
): ZoneSnapshot | undefined {
  try {
    const snapshot = read();
    return snapshot && { ...snapshot, records: watch(snapshot.records, onError) };
  } catch (error) {
    onError(error);
    throw error;
  }
}

function* watch(records: ZoneSnapshot['records'], onError: (error: unknown) => void) {
  try {
    yield* records;
  } catch (error) {
    onError(error);
    throw error;
  }
}
