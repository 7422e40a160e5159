import { useState, type DragEvent, type RefObject } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { MAX_EDITABLE_CHARACTERS, MAX_FILE_BYTES, type ImportSource } from './import-source.ts';

const words = text.import;

interface SourceFieldProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly source: ImportSource;
  readonly onChange: (members: Partial<ImportSource>) => void;
}

/** A text to paste into, on which files can be dropped, and the button to choose one. */
export function SourceField({ ref, source, onChange }: SourceFieldProps) {
  const [problem, setProblem] = useState<string>();
  const take = async (file: File): Promise<void> => {
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setProblem(isTooLarge ? words.tooLarge : undefined);
    if (isTooLarge) return;
    const content = await file.text().catch(() => undefined);
    if (content === undefined) return setProblem(words.unreadable);
    onChange({ text: content, fileName: content.length > MAX_EDITABLE_CHARACTERS ? file.name : undefined });
  };
  const drop = (event: DragEvent): void => {
    const file = event.dataTransfer.files.item(0);
    if (file === null) return;
    event.preventDefault();
    void take(file);
  };
  return (
    <div className="stack-small" onDrop={drop} onDragOver={(event) => event.preventDefault()}>
      {source.fileName === undefined ? (
        <Field label={words.text} hint={words.textHint} problem={problem}>
          {(control) => (
            <textarea
              {...control}
              ref={ref}
              className="input mono zone-input"
              spellCheck={false}
              autoCapitalize="none"
              value={source.text}
              onChange={(event) => onChange({ text: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <p className="line">
          <strong>{source.fileName}</strong>
          <span className="muted numbers">{words.characters(formatNumber(source.text.length))}</span>
          <Button onClick={() => onChange({ text: '', fileName: undefined })}>{words.remove}</Button>
        </p>
      )}
      <div className="line">
        <FileButton label={words.choose} onFile={(file) => void take(file)} />
      </div>
    </div>
  );
}
