import { useMutation, useQuery } from '@tanstack/react-query';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';

/** The OpenID Connect provider with which users sign in here. Null: there is none; undefined: nobody knows yet. */
export function useProvider() {
  const provider = useQuery({
    queryKey: ['session', 'provider'],
    queryFn: () => service.session.provider(),
    staleTime: Infinity,
  });
  return provider.data;
}

interface ProviderButtonProps {
  /** The name of the provider, as people know it. */
  readonly name: string;
  /** The page behind the form has to stay: the provider opens in another window, and this one goes on when it gets the focus. */
  readonly staysHere: boolean;
}

/** Leads to the log-in of the provider, which leads back to the page that was asked for. */
export function ProviderButton({ name, staysHere }: ProviderButtonProps) {
  const start = useMutation({
    meta: { isSignIn: true },
    mutationFn: () => service.session.startWithProvider(pageToComeBackTo()),
    onSuccess: (url) => {
      const opened = staysHere ? open(url, '_blank') : null;
      if (opened === null) location.assign(url);
    },
  });
  return (
    <>
      <Button isBusy={start.isPending} onClick={() => start.mutate()}>
        {text.signIn.withProvider(name)}
      </Button>
      <ErrorBand error={start.error} onRepeat={() => start.mutate()} />
    </>
  );
}

function pageToComeBackTo(): string {
  const { pathname, search } = location;
  return pathname === '/sign-in' ? '/domains' : `${pathname}${search}`;
}
