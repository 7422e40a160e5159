import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { text } from '../text/en.ts';
import { canLimitDomains, canLimitRecords, type RightDraft } from './key-draft.ts';

interface RightFieldsProps {
  readonly right: RightDraft;
  readonly title: string;
  readonly onRight: (right: RightDraft) => void;
  /** Absent: it is the only one. */
  readonly onRemove: (() => void) | undefined;
}

/** One right of a key: permissions, and what they are limited to. */
export function RightFields({ right, title, onRight, onRemove }: RightFieldsProps) {
  const toggle = (name: string, isOn: boolean): void =>
    onRight({ ...right, may: isOn ? [...right.may, name] : right.may.filter((other) => other !== name) });
  const set = (member: 'domains' | 'names' | 'types') => (value: string) =>
    onRight({ ...right, [member]: value });
  return (
    <fieldset className="choices framed">
      <legend className="label">{title}</legend>
      <div className="columns">
        {text.permissions.map((group) => (
          <div key={group.title} role="group" aria-label={group.title} className="stack-small">
            <span className="muted small">{group.title}</span>
            {group.list.map(([name, label]) => (
              <label key={name} className="choice" title={name}>
                <input
                  type="checkbox"
                  checked={right.may.includes(name)}
                  onChange={(event) => toggle(name, event.target.checked)}
                />
                {label}
              </label>
            ))}
          </div>
        ))}
      </div>
      {canLimitDomains(right) && (
        <TextField
          label={text.newKey.domains}
          hint={text.newKey.domainsHint}
          value={right.domains}
          onValue={set('domains')}
        />
      )}
      {canLimitRecords(right) && (
        <>
          <TextField
            label={text.newKey.names}
            hint={text.newKey.namesHint}
            value={right.names}
            onValue={set('names')}
          />
          <TextField
            label={text.newKey.types}
            hint={text.newKey.typesHint}
            value={right.types}
            onValue={set('types')}
          />
        </>
      )}
      {onRemove && (
        <div>
          <Button onClick={onRemove}>{text.newKey.removeRight}</Button>
        </div>
      )}
    </fieldset>
  );
}
