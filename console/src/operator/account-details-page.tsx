import { useState } from 'react';
import { Link } from 'wouter';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { formatDate, formatNumber, formatTime } from '../text/format-values.ts';
import { AccessSection } from './access-section.tsx';
import { AccountState } from './account-state.tsx';
import { DeleteAccountDialog, RestoreAccountDialog } from './delete-account-dialog.tsx';
import { LimitSection } from './limit-section.tsx';
import { ResumeDialog, SuspendDialog } from './suspend-dialog.tsx';
import { useAccount, useIsOperator } from './use-accounts.ts';

type Action = 'suspend' | 'resume' | 'delete' | 'restore';

const dialogs = {
  suspend: SuspendDialog,
  resume: ResumeDialog,
  delete: DeleteAccountDialog,
  restore: RestoreAccountDialog,
};

/** Shows operators one account: its state, what it uses, and who looks into it. */
export function AccountDetailsPage({ id }: { readonly id: string }) {
  const isOperator = useIsOperator();
  const account = useAccount(id);
  const { data } = account;
  const [action, setAction] = useState<Action>();
  useTitle(data?.name ?? text.accounts.title);
  const Dialog = action && dialogs[action];
  return (
    <>
      <div className="head">
        <h1>{data?.name ?? text.accounts.title}</h1>
        {data && <AccountState account={data} />}
        <Link className="button quiet" href="/operator/accounts">
          {text.accounts.toAccounts}
        </Link>
        {data && <AccountMenu account={data} onChoose={setAction} />}
      </div>
      {!isOperator && <Band title={text.accounts.operatorsOnly} />}
      <div className="bands">
        <LoadErrorBand query={account} />
        {data && <StandingBands account={data} onChoose={setAction} />}
      </div>
      {account.isLoading && <Placeholder />}
      {data && (
        <div className="page">
          <Facts account={data} />
          <LimitSection account={data} />
          <AccessSection account={data} />
        </div>
      )}
      {data && Dialog && <Dialog account={data} onClose={() => setAction(undefined)} />}
    </>
  );
}

interface ActionProps {
  readonly account: AccountJson;
  readonly onChoose: (action: Action) => void;
}

function AccountMenu({ account: { name, suspension, deletion }, onChoose }: ActionProps) {
  const entry = (action: Action, label: string, isDanger = false) => ({
    label,
    isDanger,
    onChoose: () => onChoose(action),
  });
  const standing =
    suspension === null
      ? [entry('suspend', text.accounts.suspend)]
      : [entry('suspend', text.accounts.changeSuspension), entry('resume', text.accounts.resume)];
  const life =
    deletion === null
      ? [entry('delete', text.accounts.delete, true)]
      : deletion.restorable
        ? [entry('restore', text.accounts.restore)]
        : [];
  return (
    <Menu
      label={text.accounts.actions(name)}
      className="button icon"
      groups={[{ entries: [...standing, ...life] }]}
    >
      <MoreIcon />
    </Menu>
  );
}

function StandingBands({ account: { suspension, deletion, progress }, onChoose }: ActionProps) {
  return (
    <>
      {deletion && (
        <Band kind="warning" title={text.accounts.deletedSince(formatTime(deletion.date_deleted))}>
          {deletion.restorable ? (
            <>
              <p>{text.accounts.restorable(formatTime(deletion.date_removed))}</p>
              <Button onClick={() => onChoose('restore')}>{text.accounts.restore}</Button>
            </>
          ) : (
            <p>{text.accounts.beingRemoved}</p>
          )}
        </Band>
      )}
      {suspension && (
        <Band kind="warning" title={text.accounts.suspendedSince(formatTime(suspension.date_suspended))}>
          <p>{suspension.reason}</p>
          <p>{text.accounts.answers[suspension.answers].state}</p>
          <Button onClick={() => onChoose('resume')}>{text.accounts.resume}</Button>
        </Band>
      )}
      {progress && (
        <Band title={text.accounts.progress(formatNumber(progress.done), formatNumber(progress.total))}>
          <progress aria-label={text.accounts.progressOf} max={progress.total} value={progress.done} />
        </Band>
      )}
    </>
  );
}

function Facts({ account: { id, email, date_created } }: { readonly account: AccountJson }) {
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{text.accounts.email}</dt>
        <dd>{email}</dd>
        <dt>{text.accounts.id}</dt>
        <dd className="mono">{id}</dd>
        <dt>{text.accounts.since}</dt>
        <dd>{formatDate(date_created)}</dd>
      </dl>
      <Link href={`/operator/trail?object=${id}`}>{text.accounts.inTrail}</Link>
      <ShowRequest
        request={{ method: 'GET', path: `/accounts/${id}` }}
        command={`zonewright account show ${id}`}
      />
    </div>
  );
}
