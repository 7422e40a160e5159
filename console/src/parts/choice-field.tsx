interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** A sentence below the label. */
  readonly hint?: string;
}

interface ChoiceFieldProps<T extends string> {
  readonly label: string;
  /** Tells its buttons from those of other fields. */
  readonly name: string;
  readonly value: T;
  readonly onValue: (value: T) => void;
  readonly choices: readonly Choice<T>[];
}

/** One of a few, with all of them in sight. */
export function ChoiceField<T extends string>({ label, name, value, onValue, choices }: ChoiceFieldProps<T>) {
  return (
    <fieldset className="choices">
      <legend className="label">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="choice">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onValue(choice.value)}
          />
          <span>
            {choice.label}
            {choice.hint !== undefined && <span className="muted small">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
