import { useState } from 'react';
import type { MemberJson } from '../../../src/contract/member-shape.ts';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { checkSession, useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { draftOfRole, roleOfDraft, wordsOfRole } from './role-draft.ts';
import { RoleFields } from './role-fields.tsx';
import { reloadPeople } from './use-people.ts';

interface RoleDialogProps {
  readonly member: MemberJson;
  readonly onClose: () => void;
}

export function RoleDialog({ member, onClose }: RoleDialogProps) {
  const [draft, setDraft] = useState(() => draftOfRole(member));
  const isSelf = useSession().session.user.id === member.id;
  const role = roleOfDraft(draft);
  const words = role && wordsOfRole(role);
  return (
    <ActionDialog
      title={text.people.roleTitle(member.name)}
      action={text.people.saveRole}
      unable={role === undefined ? text.people.noDomain : undefined}
      request={{ method: 'PATCH', path: `/users/${member.id}`, body: role ?? {} }}
      command={words && `zonewright user set-role ${member.email} ${words.role}${words.options}`}
      run={() => service.users.setRole(member.id, role ?? {})}
      onDone={async () => {
        // The rights of the user itself have changed: the pages follow the session.
        await (isSelf ? checkSession() : reloadPeople());
        showToast(text.people.roleChanged(member.name));
        onClose();
      }}
      onClose={onClose}
    >
      <RoleFields draft={draft} onDraft={setDraft} />
    </ActionDialog>
  );
}
