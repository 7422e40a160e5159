import { Field } from '../parts/field.tsx';
import { text } from '../text/en.ts';

/** Most that the service keeps (contract rule 45). */
const MAX_NOTE_CHARACTERS = 500;

interface NoteFieldProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
}

/** Why something is changed, for the history. */
export function NoteField({ note, onNote }: NoteFieldProps) {
  return (
    <Field label={text.review.note} hint={text.review.noteHint}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="note"
          maxLength={MAX_NOTE_CHARACTERS}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      )}
    </Field>
  );
}
