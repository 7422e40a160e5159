import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { PartBand } from '../parts/part-band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { SearchedList } from '../parts/searched-list.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { formatDate, formatNumber } from '../text/format-values.ts';
import { AccountState } from './account-state.tsx';
import { findAccounts } from './find-accounts.ts';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { useAccounts, useIsOperator } from './use-accounts.ts';

/** The height of a row with two lines, in pixels. */
const ROW_HEIGHT = 56;

/** Shows operators all accounts of the service. */
export function AccountsPage() {
  useTitle(text.accounts.title);
  const isOperator = useIsOperator();
  const accounts = useAccounts();
  const [isCreating, setCreating] = useState(false);
  const all = accounts.data;
  return (
    <>
      <div className="head">
        <h1>{text.accounts.title}</h1>
        <Button
          kind="primary"
          unable={isOperator ? undefined : text.accounts.operatorsOnly}
          onClick={() => setCreating(true)}
        >
          + {text.accounts.create}
        </Button>
      </div>
      {!isOperator && <Band title={text.accounts.operatorsOnly} />}
      <div className="bands">
        <LoadErrorBand query={accounts} isRepeatedElsewhere={accounts.isPart} />
        {accounts.isPart && !accounts.isFetching && (
          <PartBand words={text.accounts} count={all?.length ?? 0} onLoad={() => void accounts.refetch()} />
        )}
      </div>
      {accounts.isLoading && all === undefined && <Placeholder />}
      {all !== undefined && (
        <div className="stack">
          <div>
            <AccountList all={all} isPart={accounts.isPart} />
          </div>
          <ShowRequest request={{ method: 'GET', path: '/accounts' }} command="zonewright account list" />
        </div>
      )}
      {isCreating && <NewAccountDialog onClose={() => setCreating(false)} />}
    </>
  );
}

interface AccountListProps {
  readonly all: readonly AccountJson[];
  readonly isPart: boolean;
}

function AccountList({ all, isPart }: AccountListProps) {
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const setSearch = (value: string): void =>
    setQuery(value === '' ? {} : { search: value }, { replace: true });
  const found = findAccounts(all, search);
  return (
    <SearchedList
      search={search}
      onSearch={setSearch}
      searchLabel={text.accounts.search}
      rows={found}
      count={text.accounts.count(formatNumber(found.length), found.length === 1)}
      isPart={isPart}
      noMatch={isPart ? text.accounts.noMatchInPart(search) : text.accounts.noMatch(search)}
      keyOf={({ id }) => id}
      rowHeight={ROW_HEIGHT}
      label={text.accounts.title}
    >
      {(account) => <AccountRow account={account} />}
    </SearchedList>
  );
}

function AccountRow({ account }: { readonly account: AccountJson }) {
  return (
    <>
      <div className="name">
        <Link href={`/operator/accounts/${account.id}`}>{account.name}</Link>
        <span className="muted small">{account.email}</span>
      </div>
      <span className="line">
        <AccountState account={account} />
      </span>
      <span className="date muted small numbers">
        {text.accounts.created(formatDate(account.date_created))}
      </span>
    </>
  );
}
