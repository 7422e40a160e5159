import { useState } from 'react';
import { text } from '../text/en.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly hint?: string;
  readonly problem?: string | undefined;
}

export function PasswordField({ label, value, onValue, autoComplete, hint, problem }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <div className="with-button">
          <input
            {...control}
            className="input"
            type={isShown ? 'text' : 'password'}
            name="password"
            autoComplete={autoComplete}
            value={value}
            required
            onChange={(event) => onValue(event.target.value)}
          />
          <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? text.signIn.hide : text.signIn.show}
          </Button>
        </div>
      )}
    </Field>
  );
}
