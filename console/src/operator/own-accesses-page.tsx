import { useState } from 'react';
import { Link } from 'wouter';
import type { AccessJson } from '../../../src/contract/access-shape.ts';
import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import type { Visit } from '../service/visit.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { EndAccessDialog } from './end-access-dialog.tsx';
import { useAccount, useIsOperator, useOwnAccesses } from './use-accounts.ts';

/** Shows operators which accounts they look into themselves, why and until when, in all their sessions. */
export function OwnAccessesPage() {
  useTitle(text.accesses.title);
  const isOperator = useIsOperator();
  const accesses = useOwnAccesses();
  const [ending, setEnding] = useState<Visit['account']>();
  const { data } = accesses;
  return (
    <>
      <div className="head">
        <h1>{text.accesses.title}</h1>
      </div>
      {!isOperator && <Band title={text.accesses.operatorsOnly} />}
      <div className="bands">
        <LoadErrorBand query={accesses} />
      </div>
      {accesses.isLoading && <Placeholder />}
      {data?.length === 0 && (
        <div className="empty">
          <h2>{text.accesses.empty}</h2>
          <p>{text.accesses.emptyWhy}</p>
          <Link className="button" href="/operator/accounts">
            {text.accounts.toAccounts}
          </Link>
        </div>
      )}
      {data !== undefined && (
        <div className="page">
          {data.length > 0 && (
            <>
              <p>{text.accesses.why}</p>
              <ul className="rows" aria-label={text.accesses.title}>
                {data.map((access) => (
                  <li key={access.id}>
                    <OwnAccessRow access={access} onEnd={setEnding} />
                  </li>
                ))}
              </ul>
            </>
          )}
          <ShowRequest request={{ method: 'GET', path: '/accesses', by: 'user' }} />
        </div>
      )}
      {ending && <EndAccessDialog account={ending} staysHere onClose={() => setEnding(undefined)} />}
    </>
  );
}

interface OwnAccessRowProps {
  readonly access: AccessJson;
  readonly onEnd: (account: Visit['account']) => void;
}

function OwnAccessRow({ access, onEnd }: OwnAccessRowProps) {
  const { account: id, reason, date_created, date_expires } = access;
  const account = useAccount(id);
  // Its id says which one it is if the name cannot be read.
  const name = account.data?.name ?? id;
  return (
    <>
      <div className="name">
        <Link href={`/operator/accounts/${id}`}>{name}</Link>
        <span>{reason}</span>
        <span className="muted small numbers">
          {text.accesses.since(formatTime(date_created))} {text.accounts.accessEnds(formatTime(date_expires))}
        </span>
      </div>
      <Button aria-label={`${text.accounts.endAccess}: ${name}`} onClick={() => onEnd({ id, name })}>
        {text.accounts.endAccess}
      </Button>
    </>
  );
}
