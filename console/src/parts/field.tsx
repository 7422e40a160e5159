import { useId, type ComponentProps, type ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** A sentence on a wrong value. */
  readonly problem?: string | undefined;
  /** Gets the attributes that tie the control to its label and hint. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': true | undefined;
}

/** A label, a control, a hint and a problem, which takes the place of the hint, so that nothing moves. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const describedBy = `${id}-hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      <div id={describedBy} className={problem === undefined ? 'hint' : 'problem'}>
        {problem ?? hint}
      </div>
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly suffix?: ReactNode;
}

export function TextField({
  label,
  hint,
  problem,
  value,
  onValue,
  suffix,
  className = '',
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => {
        const input = (
          <input
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            {...rest}
            {...control}
            className={`input ${className}`}
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
        );
        return suffix === undefined ? (
          input
        ) : (
          <div className="with-suffix">
            {input}
            {suffix}
          </div>
        );
      }}
    </Field>
  );
}

interface DataFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Lines that are in sight. */
  readonly rows?: number;
}

/** A field for data in presentation format, such as keys: several lines, which no browser completes or corrects. */
export function DataField({ value, onValue, rows, ...field }: DataFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          className="input mono"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          rows={rows}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}
