import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Section } from '../parts/section.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { checkSession, useSession } from '../service/session.ts';
import { text } from '../text/en.ts';

export function ProfileSection() {
  const { user } = useSession().session;
  const [isNaming, setNaming] = useState(false);
  return (
    <Section
      title={text.user.profile}
      actions={<Button onClick={() => setNaming(true)}>{text.user.changeName}</Button>}
    >
      <dl className="facts">
        <dt>{text.user.name}</dt>
        <dd>{user.name}</dd>
        <dt>{text.signIn.email}</dt>
        <dd>{user.email}</dd>
        {user.operator && (
          <>
            <dt>{text.user.operator}</dt>
            <dd>{text.user.operatorWhy}</dd>
          </>
        )}
      </dl>
      {isNaming && <NameDialog before={user.name} onClose={() => setNaming(false)} />}
    </Section>
  );
}

function NameDialog({ before, onClose }: { readonly before: string; readonly onClose: () => void }) {
  const [name, setName] = useState(before);
  const isReady = name.trim() !== '' && name.trim() !== before;
  return (
    <ActionDialog
      title={text.user.changeName}
      action={text.user.saveName}
      unable={isReady ? undefined : text.user.nameHint}
      request={{ method: 'PATCH', path: '/user', body: { name: name.trim() }, by: 'user' }}
      run={() => service.session.updateUser({ name: name.trim() })}
      onDone={async () => {
        await checkSession();
        showToast(text.user.nameChanged);
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        label={text.user.name}
        hint={text.user.nameHint}
        autoComplete="name"
        autoCapitalize="words"
        value={name}
        onValue={setName}
      />
    </ActionDialog>
  );
}
