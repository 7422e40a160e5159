import { lazy, Suspense, type ComponentType } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { DeletedDomainsPage } from './domains/deleted-domains-page.tsx';
import { DomainsPage } from './domains/domains-page.tsx';
import { Placeholder } from './parts/placeholder.tsx';
import { Toasts } from './parts/toasts.tsx';
import { ProvenPage } from './proof/proven-page.tsx';
import { loadPart } from './service/load-part.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { SessionGate } from './shell/session-gate.tsx';
import { Shell } from './shell/shell.tsx';
import { JoinPage } from './sign-in/join-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { toAscii } from './text/name-forms.ts';

// They bring the declarations of the record types, which nobody needs to sign in.
const loadReview = () => import('./records/review-page.tsx');
const RecordsPage = lazy(async () => {
  const { RecordsPage: page } = await loadPart('records', () => import('./records/records-page.tsx'));
  // A person who has staged something finds the way to apply it also after an upgrade, or without a connection.
  void loadReview().catch(() => undefined);
  return { default: page };
});
const ReviewPage = lazy(async () => ({ default: (await loadPart('review', loadReview)).ReviewPage }));
const NameserversPage = lazy(async () => {
  const loaded = await loadPart('nameservers', () => import('./domains/nameservers-page.tsx'));
  return { default: loaded.NameserversPage };
});
const HistoryPage = lazy(async () => {
  const loaded = await loadPart('history', () => import('./history/history-page.tsx'));
  return { default: loaded.HistoryPage };
});
const StatePage = lazy(async () => {
  const loaded = await loadPart('state', () => import('./history/state-page.tsx'));
  return { default: loaded.StatePage };
});
const DnssecPage = lazy(async () => {
  const loaded = await loadPart('dnssec', () => import('./dnssec/dnssec-page.tsx'));
  return { default: loaded.DnssecPage };
});
const AskPage = lazy(async () => {
  const loaded = await loadPart('ask', () => import('./ask/ask-page.tsx'));
  return { default: loaded.AskPage };
});
const ImportPage = lazy(async () => {
  const loaded = await loadPart('import', () => import('./import/import-page.tsx'));
  return { default: loaded.ImportPage };
});
const SearchPage = lazy(async () => ({
  default: (await loadPart('search', () => import('./search/search-page.tsx'))).SearchPage,
}));
const AccountPage = lazy(async () => {
  const loaded = await loadPart('account', () => import('./account/account-page.tsx'));
  return { default: loaded.AccountPage };
});
const KeysPage = lazy(async () => ({
  default: (await loadPart('keys', () => import('./keys/keys-page.tsx'))).KeysPage,
}));
const NewKeyPage = lazy(async () => ({
  default: (await loadPart('new-key', () => import('./keys/new-key-page.tsx'))).NewKeyPage,
}));
const PeoplePage = lazy(async () => ({
  default: (await loadPart('people', () => import('./people/people-page.tsx'))).PeoplePage,
}));
const TrailPage = lazy(async () => ({
  default: (await loadPart('trail', () => import('./trail/trail-page.tsx'))).TrailPage,
}));
const OperatorTrailPage = lazy(async () => ({
  default: (await loadPart('trail', () => import('./trail/trail-page.tsx'))).OperatorTrailPage,
}));
const AccountsPage = lazy(async () => ({
  default: (await loadPart('accounts', () => import('./operator/accounts-page.tsx'))).AccountsPage,
}));
const OwnAccessesPage = lazy(async () => ({
  default: (await loadPart('own-accesses', () => import('./operator/own-accesses-page.tsx'))).OwnAccessesPage,
}));
const ServiceNameserversPage = lazy(async () => {
  const loaded = await loadPart('service-nameservers', () => import('./operator/nameservers-page.tsx'));
  return { default: loaded.NameserversPage };
});
const HealthPage = lazy(async () => ({
  default: (await loadPart('health', () => import('./operator/health-page.tsx'))).HealthPage,
}));
const AccountDetailsPage = lazy(async () => {
  const loaded = await loadPart('account-details', () => import('./operator/account-details-page.tsx'));
  return { default: loaded.AccountDetailsPage };
});

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
        <Route path="/proven">
          <SessionGate>
            <ProvenPage />
          </SessionGate>
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
      <Route path="/search">
        <SearchPage />
      </Route>
      <Route path="/d/:domain/at/:serial">
        {({ domain, serial }) => <StatePage key={`${domain} ${serial}`} domain={domain} serial={serial} />}
      </Route>
      <Route path="/account">
        <AccountPage />
      </Route>
      <Route path="/keys">
        <KeysPage />
      </Route>
      <Route path="/keys/new">
        <NewKeyPage />
      </Route>
      <Route path="/people">
        <PeoplePage />
      </Route>
      <Route path="/trail">
        <TrailPage />
      </Route>
      <Route path="/operator/accounts">
        <AccountsPage />
      </Route>
      <Route path="/operator/accounts/:id">{({ id }) => <AccountDetailsPage key={id} id={id} />}</Route>
      <Route path="/operator/nameservers">
        <ServiceNameserversPage />
      </Route>
      <Route path="/operator/health">
        <HealthPage />
      </Route>
      <Route path="/operator/accesses">
        <OwnAccessesPage />
      </Route>
      <Route path="/operator/trail">
        <OperatorTrailPage />
      </Route>
      <Route path="/d/:domain/:page?">
        {({ domain, page }) => <DomainPage domain={domain} page={page} />}
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

const domainPages: Readonly<Partial<Record<string, ComponentType<{ readonly domain: string }>>>> = {
  records: RecordsPage,
  review: ReviewPage,
  history: HistoryPage,
  import: ImportPage,
  ask: AskPage,
  dnssec: DnssecPage,
  nameservers: NameserversPage,
};

/** A domain has one address, and one draft, however its name is written. */
function DomainPage({ domain, page = '' }: { readonly domain: string; readonly page?: string | undefined }) {
  const search = useSearch();
  const name = toAscii(domain.replace(/(?<=.)\.$/, '')) ?? domain;
  const Page = domainPages[page];
  if (Page === undefined && page !== '') return <NotFoundPage />;
  if (Page !== undefined && name === domain) return <Page key={domain} domain={domain} />;
  const query = search === '' ? '' : `?${search}`;
  return <Redirect to={`/d/${encodeURIComponent(name)}/${page === '' ? 'records' : page}${query}`} replace />;
}
