import { useState } from 'react';
import type { FactorsJson } from '../../../src/contract/factor-shape.ts';
import { Button } from '../parts/button.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { Section } from '../parts/section.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { reloadFactors, sessionsKey } from './use-factors.ts';

/** The service wants as many; it has the last word on whether a password is too common. */
const MIN_CHARACTERS = 12;

export function PasswordSection({ factors }: { readonly factors: FactorsJson }) {
  const [shown, setShown] = useState<'set' | 'remove'>();
  const close = (): void => setShown(undefined);
  const setting = factors.password ? text.user.changePassword : text.user.setPassword;
  return (
    <Section
      title={text.signIn.password}
      why={factors.password ? text.user.passwordSet : text.user.passwordNone}
      actions={
        <>
          {factors.password && (
            <Button
              unable={factors.passkeys.length > 0 ? undefined : text.user.removePasswordNot}
              onClick={() => setShown('remove')}
            >
              {text.user.removePassword}
            </Button>
          )}
          <Button onClick={() => setShown('set')}>{setting}</Button>
        </>
      }
    >
      {shown === 'set' && <NewPasswordDialog title={setting} onClose={close} />}
      {shown === 'remove' && <RemovePasswordDialog onClose={close} />}
    </Section>
  );
}

function NewPasswordDialog({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const { email } = useSession().session.user;
  return (
    <ActionDialog
      title={title}
      action={text.user.savePassword}
      unable={password.length >= MIN_CHARACTERS ? undefined : text.join.passwordHint}
      request={{ method: 'PATCH', path: '/user', body: { password: '…' }, by: 'user' }}
      run={() => service.session.updateUser({ password })}
      onDone={async () => {
        await Promise.all([reloadFactors(), queryClient.invalidateQueries({ queryKey: sessionsKey })]);
        showToast(text.user.passwordChanged);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.user.passwordWhy}</p>
      {/* Password managers keep the password for this name. */}
      <input
        className="hidden"
        type="text"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <PasswordField
        label={text.join.newPassword}
        hint={text.join.passwordHint}
        autoComplete="new-password"
        value={password}
        onValue={setPassword}
      />
    </ActionDialog>
  );
}

function RemovePasswordDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ActionDialog
      title={text.user.removePassword}
      action={text.user.removePassword}
      isDanger
      request={{ method: 'DELETE', path: '/user/password', by: 'user' }}
      run={() => service.factors.removePassword()}
      onDone={async () => {
        await reloadFactors();
        showToast(text.user.passwordRemoved);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.user.removePasswordWhy}</p>
    </ActionDialog>
  );
}
