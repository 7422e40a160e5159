import { Button } from '../parts/button.tsx';
import { ChoiceField } from '../parts/choice-field.tsx';
import { TextField } from '../parts/field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { text } from '../text/en.ts';
import { emptyRight, type KeyDraft, type KeyKind, type RightDraft } from './key-draft.ts';
import { RightFields } from './right-fields.tsx';

const kinds: readonly KeyKind[] = ['certificates', 'address', 'read', 'full', 'custom'];
const ends = [30, 90, 365, 0];
/** As many as the service takes. */
const MAX_RIGHTS = 10;

interface KeyFieldsProps {
  readonly draft: KeyDraft;
  readonly onDraft: (draft: KeyDraft) => void;
}

export function KeyFields({ draft, onDraft }: KeyFieldsProps) {
  const set =
    <K extends keyof KeyDraft>(member: K) =>
    (value: KeyDraft[K]) =>
      onDraft({ ...draft, [member]: value });
  return (
    <>
      <TextField
        label={text.newKey.label}
        hint={text.newKey.labelHint}
        value={draft.label}
        onValue={set('label')}
      />
      <ChoiceField
        label={text.newKey.kind}
        name="kind"
        value={draft.kind}
        onValue={set('kind')}
        choices={kinds.map((value) => ({ value, ...text.newKey.kinds[value] }))}
      />
      {(draft.kind === 'certificates' || draft.kind === 'address') && (
        <TextField
          label={text.newKey.host}
          hint={text.newKey.hostHint}
          inputMode="url"
          value={draft.host}
          onValue={set('host')}
        />
      )}
      {draft.kind === 'custom' && <RightList rights={draft.rights} onRights={set('rights')} />}
      <TextField
        label={text.newKey.networks}
        hint={text.newKey.networksHint}
        value={draft.networks}
        onValue={set('networks')}
      />
      <SelectField
        label={text.newKey.end}
        hint={text.newKey.endHint}
        value={String(draft.days)}
        onValue={(days) => set('days')(Number(days))}
        options={ends.map((days) => ({ value: String(days), label: text.newKey.ends(days) }))}
      />
    </>
  );
}

interface RightListProps {
  readonly rights: readonly RightDraft[];
  readonly onRights: (rights: readonly RightDraft[]) => void;
}

function RightList({ rights, onRights }: RightListProps) {
  return (
    <>
      {rights.map((right, index) => (
        <RightFields
          key={index}
          right={right}
          title={rights.length === 1 ? text.newKey.may : text.newKey.right(index + 1)}
          onRight={(next) => onRights(rights.map((other, at) => (at === index ? next : other)))}
          onRemove={rights.length > 1 ? () => onRights(rights.filter((_, at) => at !== index)) : undefined}
        />
      ))}
      {rights.length < MAX_RIGHTS && (
        <div>
          <Button onClick={() => onRights([...rights, emptyRight])}>{text.newKey.addRight}</Button>
        </div>
      )}
    </>
  );
}
