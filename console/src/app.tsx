import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { DeletedDomainsPage } from './domains/deleted-domains-page.tsx';
import { DomainsPage } from './domains/domains-page.tsx';
import { Placeholder } from './parts/placeholder.tsx';
import { Toasts } from './parts/toasts.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { SessionGate } from './shell/session-gate.tsx';
import { Shell } from './shell/shell.tsx';
import { JoinPage } from './sign-in/join-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

// They bring the declarations of the record types, which nobody needs to sign in.
const RecordsPage = lazy(async () => ({ default: (await import('./records/records-page.tsx')).RecordsPage }));
const ReviewPage = lazy(async () => ({ default: (await import('./records/review-page.tsx')).ReviewPage }));
const NameserversPage = lazy(async () => ({
  default: (await import('./domains/nameservers-page.tsx')).NameserversPage,
}));

export function App() {
  const [, navigate] = useLocation();
  return (
    <>
      <Switch>
        <Route path="/sign-in">
          <SignInPage onDone={() => navigate('/domains', { replace: true })} />
        </Route>
        <Route path="/invite">
          <JoinPage />
        </Route>
        <Route path="/recover">
          <JoinPage />
        </Route>
        <Route>
          <SessionGate>
            <Shell>
              <Suspense fallback={<Placeholder />}>
                <Pages />
              </Suspense>
            </Shell>
          </SessionGate>
        </Route>
      </Switch>
      <Toasts />
    </>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/domains" replace />
      </Route>
      <Route path="/domains">
        <DomainsPage />
      </Route>
      <Route path="/domains/deleted">
        <DeletedDomainsPage />
      </Route>
      <Route path="/d/:domain">
        {({ domain }) => <Redirect to={`/d/${encodeURIComponent(domain)}/records`} replace />}
      </Route>
      <Route path="/d/:domain/records">{({ domain }) => <RecordsPage key={domain} domain={domain} />}</Route>
      <Route path="/d/:domain/review">{({ domain }) => <ReviewPage key={domain} domain={domain} />}</Route>
      <Route path="/d/:domain/nameservers">
        {({ domain }) => <NameserversPage key={domain} domain={domain} />}
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}
