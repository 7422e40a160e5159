import { useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';

const words = text.ask;

/** Those that people ask for most often. Others can be typed. */
const offered = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  'HTTPS',
  'SOA',
  'DNSKEY',
  'DS',
  'PTR',
];

export interface Question {
  /** Relative to the domain; `@` is the domain itself. */
  readonly name: string;
  readonly type: string;
  /** An IP address; `''`: no resolver is asked. */
  readonly resolver: string;
  /** An earlier serial; `''`: the answer of today. */
  readonly at: string;
}

interface AskFormProps {
  readonly domain: string;
  readonly question: Question;
  readonly isBusy: boolean;
  readonly onAsk: (question: Question) => void;
}

export function AskForm({ domain, question, isBusy, onAsk }: AskFormProps) {
  const [values, setValues] = useState(question);
  const types = useId();
  const set = (name: keyof Question) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  return (
    <form
      className="ask-form"
      onSubmit={(event) => {
        event.preventDefault();
        const { name, type, resolver, at } = values;
        const given = { name: name.trim() || '@', type: type.trim().toUpperCase() || 'A' };
        if (!isBusy) onAsk({ ...given, resolver: at === '' ? resolver.trim() : '', at });
      }}
    >
      <TextField
        label={words.name}
        hint={words.nameHint(toUnicode(domain))}
        className="mono"
        value={values.name}
        onValue={set('name')}
      />
      <TextField
        label={words.type}
        hint={words.typeHint}
        className="mono"
        list={types}
        value={values.type}
        onValue={set('type')}
      />
      <datalist id={types}>
        {offered.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      {values.at === '' && (
        <TextField
          label={words.resolver}
          hint={words.resolverHint}
          className="mono"
          inputMode="url"
          value={values.resolver}
          onValue={set('resolver')}
        />
      )}
      <div className="line">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {words.ask}
        </Button>
      </div>
    </form>
  );
}
