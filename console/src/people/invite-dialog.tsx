import { useState } from 'react';
import type { NewInvitationJson } from '../../../src/contract/member-shape.ts';
import { TextField } from '../parts/field.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { roleOfDraft, viewerRole, wordsOfRole } from './role-draft.ts';
import { RoleFields } from './role-fields.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { reloadPeople } from './use-people.ts';

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [draft, setDraft] = useState(viewerRole);
  const [made, setMade] = useState<NewInvitationJson>();
  if (made !== undefined)
    return (
      <LinkDialog
        title={text.people.invited}
        why={text.people.linkWhy(made.email)}
        link={made.link}
        dateExpires={made.date_expires}
        onClose={onClose}
      />
    );
  const role = roleOfDraft(draft);
  const words = role && wordsOfRole(role);
  const body = { ...(email.trim() !== '' && { email: email.trim() }), ...role };
  const address = email.trim() === '' ? '' : ` ${quote(email.trim())}`;
  return (
    <ActionDialog
      title={text.people.inviteTitle}
      action={text.people.makeLink}
      unable={role === undefined ? text.people.noDomain : undefined}
      request={{ method: 'POST', path: '/invitations', body }}
      command={words && `zonewright user invite${address} --role ${words.role}${words.options}`}
      run={() => service.users.invite(body)}
      onDone={async (invitation) => {
        await reloadPeople();
        setMade(invitation);
      }}
      onClose={onClose}
    >
      <TextField
        label={text.signIn.email}
        hint={text.people.emailHint}
        type="email"
        value={email}
        onValue={setEmail}
      />
      <RoleFields draft={draft} onDraft={setDraft} />
    </ActionDialog>
  );
}
