import { ChoiceField } from '../parts/choice-field.tsx';
import { TextField } from '../parts/field.tsx';
import { text } from '../text/en.ts';
import type { RoleChoice, RoleDraft } from './role-draft.ts';

const choices: readonly RoleChoice[] = ['owner', 'editor', 'viewer', 'grants'];

interface RoleFieldsProps {
  readonly draft: RoleDraft;
  readonly onDraft: (draft: RoleDraft) => void;
}

export function RoleFields({ draft, onDraft }: RoleFieldsProps) {
  return (
    <>
      <ChoiceField
        label={text.people.role}
        name="role"
        value={draft.choice}
        onValue={(choice) => onDraft({ ...draft, choice })}
        choices={choices.map((value) => ({ value, ...text.people.roles[value] }))}
      />
      {draft.choice === 'grants' && (
        <>
          <TextField
            label={text.people.edits}
            hint={text.people.domainsHint}
            value={draft.edits}
            onValue={(edits) => onDraft({ ...draft, edits })}
          />
          <TextField
            label={text.people.views}
            hint={text.people.domainsHint}
            value={draft.views}
            onValue={(views) => onDraft({ ...draft, views })}
          />
        </>
      )}
    </>
  );
}
