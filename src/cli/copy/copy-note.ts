import { MAX_NOTE_CHARACTERS } from '../../contract/note-limit.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

const PREFIX = 'copied from ';

/** `the nameserver ns1.example (copied from …)`: the source follows the user's own text. */
const BEHIND_OWN_TEXT = / \(copied from (.*)\)$/s;

/**
 * The note of a copy. The history keeps it with each record, so that any machine can tell later which records a source
 * brought.
 *
 * @param own the user's text
 * @throws CommandFailure if both do not fit into a note
 */
export function formatCopyNote(own: string | undefined, source: string): string {
  const from = PREFIX + sourceInNote(source);
  if (own === undefined) return from;
  const note = `${own} (${from})`;
  if (note.length <= MAX_NOTE_CHARACTERS) return note;
  const room = Math.max(0, MAX_NOTE_CHARACTERS - from.length - ' ()'.length);
  throw new CommandFailure(exitCodes.usage, `--note can have at most ${room} characters with this source`);
}

/** The source as a note names it: a long path is cut. */
export function sourceInNote(source: string): string {
  return source.slice(0, MAX_NOTE_CHARACTERS - PREFIX.length);
}

/** Returns the source that a note names, or undefined if it is not the note of a copy. */
export function findSource(note: string | null): string | undefined {
  if (note === null) return undefined;
  return note.startsWith(PREFIX) ? note.slice(PREFIX.length) : BEHIND_OWN_TEXT.exec(note)?.[1];
}
