import { TextField } from '../parts/field.tsx';
import { text } from '../text/en.ts';

interface CodeFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Asks for a one-time code, when a password alone is not enough. */
export function CodeField({ value, onValue }: CodeFieldProps) {
  return (
    <TextField
      label={text.signIn.code}
      hint={text.signIn.codeHint}
      autoComplete="one-time-code"
      autoFocus
      required
      value={value}
      onValue={onValue}
      className="mono"
    />
  );
}
