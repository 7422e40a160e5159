import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { service } from '../service/service-client.ts';
import { checkSession, useSession } from '../service/session.ts';
import { useProvider } from '../sign-in/provider-button.tsx';
import { text } from '../text/en.ts';

/** The page at which the provider's window ends: `ProvenPage`. */
const PROVEN_PATH = '/proven';

/** The provider with which this user can prove who it is; undefined: there is none, or nobody knows yet. */
export function useProofProvider(): { readonly name: string } | undefined {
  const provider = useProvider();
  const identities = useQuery({
    queryKey: ['user', 'identities'],
    queryFn: () => service.session.identities(),
    enabled: provider !== undefined && provider !== null,
  });
  return identities.data !== undefined && identities.data.length > 0 && provider ? provider : undefined;
}

interface ProviderProofProps {
  /** The name of the provider, as people know it. */
  readonly name: string;
  readonly onProven: () => void;
}

/**
 * Has the provider ask who the user is, in another window, so that the page behind this dialog keeps what was typed. That window loads
 * a page of ours at the end (`ProvenPage`), which tells the others to look at the session.
 */
export function ProviderProof({ name, onProven }: ProviderProofProps) {
  const { date_fresh } = useSession().session.session;
  const start = useMutation({
    meta: { isSignIn: true },
    mutationFn: async () => {
      // The page may know of an earlier proof only.
      const { session } = await checkSession();
      return { url: await service.session.confirmWithProvider(PROVEN_PATH), before: session.date_fresh };
    },
    // If the browser blocks the window, people use the link below.
    onSuccess: ({ url }) => void open(url, '_blank', 'noopener'),
  });
  const isProven = start.data !== undefined && Date.parse(date_fresh) > Date.parse(start.data.before);
  useEffect(() => {
    if (isProven) onProven();
    // The function is another one at each rendering, and does the same.
  }, [isProven]);
  return (
    <>
      <Button isBusy={start.isPending} onClick={() => start.mutate()}>
        {text.signIn.withProvider(name)}
      </Button>
      {start.data !== undefined && (
        <Band title={text.proof.elsewhere(name)}>
          <p>
            {text.proof.elsewhereWhy}{' '}
            <a href={start.data.url} target="_blank" rel="noreferrer">
              {text.proof.elsewhereLink}
            </a>
          </p>
        </Band>
      )}
      <ErrorBand error={start.error} onRepeat={() => start.mutate()} />
    </>
  );
}
