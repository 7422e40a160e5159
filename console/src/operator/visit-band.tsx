import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { loadPart } from '../service/load-part.ts';
import { switchVisit } from '../service/session.ts';
import { useStored } from '../service/value-store.ts';
import { currentVisit, type Visit } from '../service/visit.ts';
import { text } from '../text/en.ts';
import { formatClock } from '../text/format-values.ts';

// Hardly anybody needs it, and every page has the band.
const EndAccessDialog = lazy(async () => ({
  default: (await loadPart('end-access', () => import('./end-access-dialog.tsx'))).EndAccessDialog,
}));

/** Says on every page that an operator is in the account of somebody else. */
export function VisitBand() {
  const visit = useStored(currentVisit);
  return visit === undefined ? null : <Visited key={visit.account.id} visit={visit} />;
}

function Visited({ visit: { account, dateExpires } }: { readonly visit: Visit }) {
  const endsAtMs = Date.parse(dateExpires);
  const isOver = useHasPassed(endsAtMs);
  const [isEnding, setEnding] = useState(false);
  const [, navigate] = useLocation();
  const leave = (): void => {
    switchVisit(undefined);
    navigate(`/operator/accounts/${account.id}`);
  };
  if (isOver)
    return (
      <Band kind="warning" title={text.accounts.visitOver(account.name)}>
        <Button onClick={leave}>{text.accounts.leave}</Button>
      </Band>
    );
  return (
    <Band kind="warning" title={text.accounts.visiting(account.name)}>
      <p>{text.accounts.visitingWhy(formatClock(endsAtMs))}</p>
      <Button onClick={() => setEnding(true)}>{text.accounts.endAccess}</Button>
      <Suspense fallback={null}>
        {isEnding && <EndAccessDialog account={account} onClose={() => setEnding(false)} />}
      </Suspense>
    </Band>
  );
}

function useHasPassed(endsAtMs: number): boolean {
  const [hasPassed, setPassed] = useState(() => Date.now() >= endsAtMs);
  useEffect(() => {
    const leftMs = endsAtMs - Date.now();
    setPassed(leftMs <= 0);
    if (leftMs <= 0) return undefined;
    const timer = setTimeout(() => setPassed(true), leftMs);
    return () => clearTimeout(timer);
  }, [endsAtMs]);
  return hasPassed;
}
