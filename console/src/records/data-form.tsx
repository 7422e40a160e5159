import { useId } from 'react';
import type { Field as DeclaredField } from '../../../src/dns/record-type.ts';
import { Field, TextField, type ControlProps } from '../parts/field.tsx';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import type { RecordForm } from './use-record-form.ts';

interface DataFormProps {
  readonly form: RecordForm;
  /** Suggestions for names in the data. */
  readonly hosts: readonly string[];
}

/** A field for each part of the data, beside the text that they make. */
export function DataForm({ form, hosts }: DataFormProps) {
  const { declaration, raw, setRaw, problem } = form;
  const hostList = useId();
  if (declaration === undefined)
    return (
      <RawField
        name="record-data"
        raw={raw}
        onRaw={setRaw}
        hint={text.editor.unknownHint}
        problem={problem?.message}
      />
    );
  const isBelow = problem?.field === undefined;
  return (
    <div className="editor-columns">
      <div className="editor-fields">
        {declaration.fields.map((field, index) => (
          <DataField
            key={`${declaration.mnemonic} ${field.name}`}
            field={field}
            isText={declaration.mnemonic === 'TXT'}
            value={form.fields[index] ?? ''}
            onValue={(value) => form.setField(index, value)}
            problem={problem?.field === field.name ? problem.message : undefined}
            hostList={hostList}
          />
        ))}
      </div>
      <RawField
        raw={raw}
        onRaw={setRaw}
        hint={text.editor.rawHint(declaration.example)}
        problem={isBelow ? problem?.message : undefined}
      />
      <datalist id={hostList}>
        {hosts.map((host) => (
          <option key={host} value={host} />
        ))}
      </datalist>
    </div>
  );
}

interface DataFieldProps {
  readonly field: DeclaredField;
  /** The content of a TXT record, which may be long. */
  readonly isText: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly problem: string | undefined;
  readonly hostList: string;
}

/** Values that codecs of these kinds usually have. */
const choices: Readonly<Partial<Record<string, readonly string[]>>> = {
  'property tag': ['issue', 'issuewild', 'iodef', 'issuemail'],
};

const utf8 = new TextEncoder();

/** The control follows from the kind of the codec, which also checks it. */
function DataField({ field: { name, codec }, isText, value, onValue, problem, hostList }: DataFieldProps) {
  const choiceList = useId();
  const label = name.charAt(0).toUpperCase() + name.slice(1);
  if (isText || codec.kind === 'character-strings')
    return (
      <div className="wide">
        <Field
          label={label}
          problem={problem}
          hint={isText ? text.editor.octets(formatNumber(utf8.encode(value).length)) : codec.expects}
        >
          {(control) => <LongText control={control} value={value} onValue={onValue} name="record-data" />}
        </Field>
      </div>
    );
  const listed = choices[codec.kind];
  const list = listed ? choiceList : codec.kind === 'domain name' ? hostList : undefined;
  return (
    <div className={isLong(codec.kind) ? 'wide' : ''}>
      <TextField
        label={label}
        name="record-data"
        className="mono"
        hint={codec.expects}
        problem={problem}
        value={value}
        onValue={onValue}
        list={list}
        inputMode={codec.kind === 'integer' ? 'numeric' : 'text'}
      />
      {listed && (
        <datalist id={choiceList}>
          {listed.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function isLong(kind: string): boolean {
  return (
    kind !== 'integer' && kind !== 'mnemonic integer' && kind !== 'property tag' && kind !== 'record type'
  );
}

interface RawFieldProps {
  readonly raw: string;
  readonly onRaw: (raw: string) => void;
  readonly hint: string;
  readonly problem: string | undefined;
  readonly name?: string;
}

function RawField({ raw, onRaw, hint, problem, name = 'record-raw' }: RawFieldProps) {
  return (
    <Field label={text.editor.raw} hint={hint} problem={problem}>
      {(control) => <LongText control={control} value={raw} onValue={onRaw} name={name} />}
    </Field>
  );
}

interface LongTextProps {
  readonly control: ControlProps;
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function LongText({ control, name, value, onValue }: LongTextProps) {
  return (
    <textarea
      {...control}
      name={name}
      className="input mono"
      rows={3}
      spellCheck={false}
      autoCapitalize="none"
      value={value}
      onChange={(event) => onValue(event.target.value.replaceAll('\n', ' '))}
    />
  );
}
