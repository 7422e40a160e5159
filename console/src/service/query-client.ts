import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './describe-error.ts';
import { createValueStore } from './value-store.ts';

/** The service has refused a request because the session has ended, while pages show what came before. */
export const sessionHasEnded = createValueStore(false);

function notice(error: unknown): void {
  if (isSignedOut(error)) sessionHasEnded.set(true);
}

/** The client repeats what can be repeated; a failure that comes here is shown. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== 'session') notice(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.['isSignIn'] !== true) notice(error);
    },
  }),
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 10_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
