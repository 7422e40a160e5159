import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenInvitationJson } from '../../../src/contract/session-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { hasCode } from '../service/describe-error.ts';
import { service } from '../service/service-client.ts';
import { enterSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatDistance } from '../text/format-values.ts';

interface JoinFormProps {
  readonly token: string;
  readonly invitation: OpenInvitationJson;
  readonly onJoined: () => void;
}

/** Makes a user, adds an account to one that exists, or sets a new password. */
export function JoinForm({ token, invitation, onJoined }: JoinFormProps) {
  const [values, setValues] = useState({ email: invitation.email ?? '', name: '', password: '', code: '' });
  const [isMember, setMember] = useState(false);
  const set = (name: keyof typeof values) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  const isRecovery = invitation.kind === 'recovery';
  const acceptance = useMutation({
    meta: { isSignIn: true },
    mutationFn: () => service.users.accept(acceptanceOf(token, invitation, values, isMember)),
    onSuccess: (session) => {
      enterSession(session);
      onJoined();
    },
  });
  const needsCode = hasCode(acceptance.error, 'second_factor_required') || values.code !== '';
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!acceptance.isPending) acceptance.mutate();
      }}
    >
      <h1>{titleOf(invitation)}</h1>
      {isRecovery && <p>{text.join.recoveryWhy(invitation.email ?? '')}</p>}
      {!isRecovery && (
        <TextField
          label={text.signIn.email}
          type="email"
          autoComplete="username"
          required
          readOnly={invitation.email !== null}
          value={values.email}
          onValue={set('email')}
        />
      )}
      {!isRecovery && !isMember && (
        <TextField
          label={text.join.name}
          autoComplete="name"
          autoCapitalize="words"
          required
          value={values.name}
          onValue={set('name')}
        />
      )}
      <PasswordField
        label={isMember ? text.join.ownPassword : text.join.newPassword}
        autoComplete={isMember ? 'current-password' : 'new-password'}
        {...(!isMember && { hint: text.join.passwordHint })}
        value={values.password}
        onValue={set('password')}
      />
      {needsCode && (
        <TextField
          label={text.signIn.code}
          hint={text.signIn.codeHint}
          autoComplete="one-time-code"
          required
          value={values.code}
          onValue={set('code')}
        />
      )}
      {!isRecovery && (
        <label className="line">
          <input type="checkbox" checked={isMember} onChange={(event) => setMember(event.target.checked)} />
          {text.join.member}
        </label>
      )}
      {!hasCode(acceptance.error, 'second_factor_required') && <ErrorBand error={acceptance.error} />}
      <Button kind="primary" type="submit" isBusy={acceptance.isPending}>
        {isRecovery ? text.join.set : text.join.join}
      </Button>
      <p className="muted">{text.join.ends(formatDistance(invitation.date_expires))}</p>
    </form>
  );
}

function titleOf({ kind, account, role }: OpenInvitationJson): string {
  if (kind === 'recovery') return text.join.recovery;
  return text.join.invited(account ?? text.product, text.join.roles[role ?? 'grants']);
}

function acceptanceOf(
  token: string,
  { kind }: OpenInvitationJson,
  { email, name, password, code }: Record<'email' | 'name' | 'password' | 'code', string>,
  isMember: boolean,
) {
  return {
    token,
    password,
    ...(kind === 'invitation' && { email }),
    ...(kind === 'invitation' && !isMember && { name }),
    ...(code !== '' && { code: code.trim() }),
  };
}
