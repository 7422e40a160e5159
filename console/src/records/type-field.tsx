import { recordTypes } from '../../../src/dns/rdata/record-type-registry.ts';
import { useState } from 'react';
import { Field, TextField } from '../parts/field.tsx';
import { text } from '../text/en.ts';
import { declarationOf } from './data-fields.ts';

const usual: readonly string[] = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA', 'HTTPS'];

const others = recordTypes
  .filter(({ serviceOwned, mnemonic }) => serviceOwned !== true && !usual.includes(mnemonic))
  .map(({ mnemonic }) => mnemonic)
  .sort();

/** The choice that asks for a number. */
const UNKNOWN = 'TYPE';

interface TypeFieldProps {
  readonly type: string;
  readonly onType: (type: string) => void;
  /** A record keeps its type. */
  readonly isFixed: boolean;
}

export function TypeField({ type, onType, isFixed }: TypeFieldProps) {
  const [isByNumber, setByNumber] = useState(declarationOf(type) === undefined);
  const declaration = declarationOf(type);
  const hint = declaration === undefined ? '' : `${declaration.help} ${declaration.reference}.`;
  return (
    <>
      <Field label={text.editor.type} hint={hint}>
        {(control) => (
          <select
            {...control}
            name="record-type"
            className="input"
            value={isByNumber ? UNKNOWN : type}
            disabled={isFixed}
            onChange={({ target: { value } }) => {
              setByNumber(value === UNKNOWN);
              onType(value === UNKNOWN ? '' : value);
            }}
          >
            <optgroup label={text.editor.usual}>{usual.map(option)}</optgroup>
            <optgroup label={text.editor.others}>{others.map(option)}</optgroup>
            <option value={UNKNOWN}>{text.editor.unknown}</option>
          </select>
        )}
      </Field>
      {isByNumber && (
        <TextField
          label={text.editor.unknownType}
          hint={text.editor.unknownHint}
          className="mono"
          readOnly={isFixed}
          value={type}
          onValue={(value) => onType(value.toUpperCase())}
        />
      )}
    </>
  );
}

function option(name: string) {
  return <option key={name}>{name}</option>;
}
