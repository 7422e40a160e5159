import type { ReactNode } from 'react';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { isSignedOut } from '../service/describe-error.ts';
import { sessionHasEnded } from '../service/query-client.ts';
import { isOfOtherUser, useSessionQuery } from '../service/session.ts';
import { useStored } from '../service/value-store.ts';
import { Gate } from '../sign-in/gate.tsx';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { text } from '../text/en.ts';

/**
 * Shows its pages to people who have signed in, and the form to others, at the address that they asked for. When a session ends, the
 * form stands on top of the page, which keeps what was typed.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useSessionQuery();
  const hasEnded = useStored(sessionHasEnded);
  if (useStored(isOfOtherUser))
    return (
      <Gate>
        <Band title={text.signIn.otherUser} />
      </Gate>
    );
  if (session.data !== undefined)
    return (
      <>
        {children}
        <Dialog title={text.signIn.ended} isOpen={hasEnded} isFirm onClose={() => undefined}>
          <p>{text.signIn.endedWhy}</p>
          <SignInForm staysHere />
        </Dialog>
      </>
    );
  if (isSignedOut(session.error)) return <SignInPage />;
  return (
    <Gate>
      {session.isError ? (
        <ErrorBand error={session.error} onRepeat={() => void session.refetch()} />
      ) : (
        <Placeholder />
      )}
    </Gate>
  );
}
