import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFactors } from '../account/use-factors.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { hasCode } from '../service/describe-error.ts';
import { service } from '../service/service-client.ts';
import { CodeField } from '../sign-in/code-field.tsx';
import { confirmWithPasskey, hasPasskeys, isCancelled } from '../sign-in/passkeys.ts';
import { text } from '../text/en.ts';
import { ProviderProof, useProofProvider } from './provider-proof.tsx';

interface ProofDialogProps {
  readonly onProven: () => void;
  readonly onClose: () => void;
}

/** A refusal here does not mean that the session has ended. */
const meta = { isSignIn: true };

/** Asks who the user is, before a dangerous request: with the means that the user has. */
export function ProofDialog({ onProven, onClose }: ProofDialogProps) {
  const factors = useFactors();
  // If the service does not say which, both are offered.
  const hasPassword = factors.data?.password ?? true;
  const provider = useProofProvider();
  const hasPasskey = hasPasskeys() && (factors.data === undefined || factors.data.passkeys.length > 0);
  return (
    <Dialog title={text.proof.title} isOpen onClose={onClose}>
      <p>{text.proof.why}</p>
      {factors.isPending ? (
        <Placeholder />
      ) : (
        <>
          {hasPasskey && <PasskeyProof onProven={onProven} />}
          {hasPasskey && hasPassword && <div className="or">{text.signIn.or}</div>}
          {hasPassword && <PasswordProof onProven={onProven} />}
          {provider !== undefined && (
            <>
              {(hasPasskey || hasPassword) && <div className="or">{text.signIn.or}</div>}
              <ProviderProof name={provider.name} onProven={onProven} />
            </>
          )}
          {!hasPasskey && !hasPassword && provider === undefined && <p>{text.proof.noMeans}</p>}
        </>
      )}
      <div className="actions">
        <Button onClick={onClose}>{text.cancel}</Button>
      </div>
    </Dialog>
  );
}

function PasskeyProof({ onProven }: Pick<ProofDialogProps, 'onProven'>) {
  const proof = useMutation({ meta, mutationFn: confirmWithPasskey, onSuccess: onProven });
  return (
    <>
      <Button isBusy={proof.isPending} onClick={() => proof.mutate()}>
        {text.signIn.withPasskey}
      </Button>
      {isCancelled(proof.error) ? (
        <p className="muted" role="status">
          {text.signIn.passkeyCancelled}
        </p>
      ) : (
        <ErrorBand error={proof.error} onRepeat={() => proof.mutate()} />
      )}
    </>
  );
}

function PasswordProof({ onProven }: Pick<ProofDialogProps, 'onProven'>) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const proof = useMutation({
    meta,
    mutationFn: () => service.session.confirm({ password, ...(code !== '' && { code: code.trim() }) }),
    onSuccess: onProven,
  });
  const asksCode = hasCode(proof.error, 'second_factor_required');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        // Forms of React bubble through portals: the form below this dialog has its own button.
        event.stopPropagation();
        if (!proof.isPending) proof.mutate();
      }}
    >
      <PasswordField
        label={text.signIn.password}
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      {(asksCode || code !== '') && <CodeField value={code} onValue={setCode} />}
      {!asksCode && <ErrorBand error={proof.error} onRepeat={() => proof.mutate()} />}
      <Button kind="primary" type="submit" isBusy={proof.isPending}>
        {text.proof.confirm}
      </Button>
    </form>
  );
}
