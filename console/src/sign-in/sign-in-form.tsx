import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { hasCode } from '../service/describe-error.ts';
import { service } from '../service/service-client.ts';
import { enterSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { CodeField } from './code-field.tsx';
import { hasPasskeys, isCancelled, signInWithPasskey } from './passkeys.ts';
import { ProviderButton, useProvider } from './provider-button.tsx';

/** `isSignIn`: a refusal does not mean that a session has ended. */
const meta = { isSignIn: true };

interface SignInFormProps {
  readonly onDone?: () => void;
  /** The form stands on top of a page that has to stay. */
  readonly staysHere?: boolean;
}

/** Signs in with a passkey, with a provider, or with a password and, if the service asks for it, a code. */
export function SignInForm({ onDone, staysHere = false }: SignInFormProps) {
  const provider = useProvider();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const onSuccess = (session: Parameters<typeof enterSession>[0]): void => {
    enterSession(session);
    onDone?.();
  };
  const byPassword = useMutation({
    meta,
    mutationFn: () => service.session.signIn({ email, password, ...(code !== '' && { code: code.trim() }) }),
    onSuccess,
  });
  const byPasskey = useMutation({ meta, mutationFn: signInWithPasskey, onSuccess });
  const needsCode = hasCode(byPassword.error, 'second_factor_required') || code !== '';
  const isBusy = byPassword.isPending || byPasskey.isPending;
  const passwordError = hasCode(byPassword.error, 'second_factor_required') ? undefined : byPassword.error;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) byPassword.mutate();
      }}
    >
      <PasskeyPart isBusy={isBusy} error={byPasskey.error} onStart={() => byPasskey.mutate()} />
      {provider && <ProviderButton name={provider.name} staysHere={staysHere} />}
      {(hasPasskeys() || provider) && <div className="or">{text.signIn.or}</div>}
      <TextField
        label={text.signIn.email}
        type="email"
        name="email"
        autoComplete="username webauthn"
        required
        value={email}
        onValue={setEmail}
      />
      <PasswordField
        label={text.signIn.password}
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      {needsCode && <CodeField value={code} onValue={setCode} />}
      <ErrorBand error={passwordError} onRepeat={() => byPassword.mutate()} />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {text.signIn.action}
      </Button>
      <details className="request">
        <summary>{text.signIn.lost}</summary>
        <p className="muted">{text.signIn.lostHelp}</p>
      </details>
    </form>
  );
}

interface PasskeyPartProps {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onStart: () => void;
}

function PasskeyPart({ isBusy, error, onStart }: PasskeyPartProps) {
  if (!hasPasskeys()) return null;
  return (
    <>
      <Button isBusy={isBusy} onClick={onStart}>
        {text.signIn.withPasskey}
      </Button>
      {isCancelled(error) ? (
        <p className="muted" role="status">
          {text.signIn.passkeyCancelled}
        </p>
      ) : (
        <ErrorBand error={error} onRepeat={onStart} />
      )}
    </>
  );
}
