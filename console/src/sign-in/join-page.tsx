import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { Gate } from './gate.tsx';
import { JoinForm } from './join-form.tsx';
import { createPasskey, hasPasskeys, isCancelled } from './passkeys.ts';

/** The page that links of invitations and recoveries lead to. The token is in the fragment, which browsers send to nobody. */
export function JoinPage() {
  const [token] = useState(() => location.hash.slice(1));
  const [hasJoined, setJoined] = useState(false);
  const [, navigate] = useLocation();
  useTitle(text.product);
  if (token === '')
    return (
      <Gate>
        <Band kind="error" title={text.join.noToken}>
          <p>{text.join.noTokenWhy}</p>
        </Band>
      </Gate>
    );
  const toDomains = (): void => navigate('/domains', { replace: true });
  return (
    <Gate>
      {hasJoined ? (
        <PasskeyOffer onDone={toDomains} />
      ) : (
        <OpenLink token={token} onJoined={() => (hasPasskeys() ? setJoined(true) : toDomains())} />
      )}
    </Gate>
  );
}

function OpenLink({ token, onJoined }: { readonly token: string; readonly onJoined: () => void }) {
  const link = useQuery({
    queryKey: ['session', 'link', token],
    queryFn: () => service.users.openInvitation(token),
    staleTime: Infinity,
  });
  if (link.isPending) return <Placeholder />;
  if (link.isError)
    return (
      <>
        <h1>{text.join.unusable}</h1>
        <ErrorBand error={link.error} onRepeat={() => void link.refetch()} />
      </>
    );
  return <JoinForm token={token} invitation={link.data} onJoined={onJoined} />;
}

function PasskeyOffer({ onDone }: { readonly onDone: () => void }) {
  const creation = useMutation({ mutationFn: () => createPasskey(), onSuccess: onDone });
  return (
    <>
      <h1>{text.join.passkeyTitle}</h1>
      <p>{text.join.passkeyWhy}</p>
      {isCancelled(creation.error) ? (
        <p className="muted">{text.signIn.passkeyCancelled}</p>
      ) : (
        <ErrorBand error={creation.error} />
      )}
      <Button kind="primary" isBusy={creation.isPending} onClick={() => creation.mutate()}>
        {text.join.createPasskey}
      </Button>
      <Button onClick={onDone}>{text.join.later}</Button>
    </>
  );
}
