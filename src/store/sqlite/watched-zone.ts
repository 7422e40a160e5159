import type { ZoneSnapshot } from '../store.ts';

/**
 * Reads a zone and passes on errors, also those that are found while its records are read, before they are thrown.
 *
 * @param onEnd called when all records have been read without an error
 */
export function readWatched(
  read: () => ZoneSnapshot | undefined,
  onError: (error: unknown) => void,
  onEnd: () => void = () => undefined,
): ZoneSnapshot | undefined {
  try {
    const snapshot = read();
    return snapshot && { ...snapshot, records: watch(snapshot.records, onError, onEnd) };
  } catch (error) {
    onError(error);
    throw error;
  }
}

function* watch(records: ZoneSnapshot['records'], onError: (error: unknown) => void, onEnd: () => void) {
  try {
    yield* records;
    onEnd();
  } catch (error) {
    onError(error);
    throw error;
  }
}
