import { useState } from 'react';
import { useLocation } from 'wouter';
import type { AccessJson } from '../../../src/contract/access-shape.ts';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Section } from '../parts/section.tsx';
import { switchAccount, useSession } from '../service/session.ts';
import { useStored } from '../service/value-store.ts';
import { currentVisit } from '../service/visit.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { AccessDialog } from './access-dialog.tsx';
import { EndAccessDialog } from './end-access-dialog.tsx';
import { useAccesses } from './use-accounts.ts';

/** Lists the operators who look into the account now, and leads into it. */
export function AccessSection({ account }: { readonly account: AccountJson }) {
  const { user, accounts } = useSession().session;
  const visit = useStored(currentVisit);
  const accesses = useAccesses(account.id);
  const [dialog, setDialog] = useState<'start' | 'end'>();
  const [, navigate] = useLocation();
  const close = (): void => setDialog(undefined);
  const isMember = accounts.some(({ id }) => id === account.id);
  const open = (): void => {
    if (isMember) switchAccount(account.id);
    if (isMember || visit?.account.id === account.id) navigate('/domains');
    else setDialog('start');
  };
  const isThere = isMember || visit?.account.id === account.id;
  return (
    <Section
      title={text.accounts.accessTitle}
      why={isMember ? text.accounts.isMember : text.accounts.accessWhy}
      actions={
        <Button
          unable={account.state === 'deleted' ? text.accounts.deletedNoAccess : undefined}
          onClick={open}
        >
          {isThere ? text.accounts.openDomains : text.accounts.access}
        </Button>
      }
    >
      <ErrorBand error={accesses.error} onRepeat={() => void accesses.refetch()} />
      {accesses.isLoading && <Placeholder />}
      {accesses.data?.length === 0 && <p className="muted">{text.accounts.noAccess}</p>}
      {accesses.data !== undefined && accesses.data.length > 0 && (
        <ul className="rows" aria-label={text.accounts.accessTitle}>
          {accesses.data.map((access) => (
            <li key={access.id}>
              <AccessRow access={access} isOwn={access.user.id === user.id} onEnd={() => setDialog('end')} />
            </li>
          ))}
        </ul>
      )}
      {dialog === 'start' && <AccessDialog account={account} onClose={close} />}
      {dialog === 'end' && <EndAccessDialog account={account} onClose={close} />}
    </Section>
  );
}

interface AccessRowProps {
  readonly access: AccessJson;
  readonly isOwn: boolean;
  readonly onEnd: () => void;
}

function AccessRow({ access: { user, reason, date_expires }, isOwn, onEnd }: AccessRowProps) {
  return (
    <>
      <div className="name">
        <span className="line">
          <strong>{user.email}</strong>
          {isOwn && <span className="tag">{text.people.you}</span>}
        </span>
        <span>{reason}</span>
        <span className="muted small numbers">{text.accounts.accessEnds(formatTime(date_expires))}</span>
      </div>
      {isOwn && <Button onClick={onEnd}>{text.accounts.endAccess}</Button>}
    </>
  );
}
