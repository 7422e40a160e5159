import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { PartBand } from '../parts/part-band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { SearchedList } from '../parts/searched-list.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useMayManageDomains } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { DeleteDomainDialog } from './delete-domain-dialog.tsx';
import { DomainRow } from './domain-row.tsx';
import { NewDomainDialog } from './new-domain-dialog.tsx';
import { findDomains, useDomains, type ListedDomain } from './use-domains.ts';

/** The height of a row with one line, in pixels. */
const ROW_HEIGHT = 48;

export function DomainsPage() {
  useTitle(text.domains);
  const domains = useDomains();
  const [query, setQuery] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<string>();
  const search = query.get('search') ?? '';
  const setSearch = (value: string): void =>
    setQuery(value === '' ? {} : { search: value }, { replace: true });
  const mayManage = useMayManageDomains();
  const all = domains.data;
  return (
    <>
      <div className="head">
        <h1>{text.domains}</h1>
        <Link className="button quiet" href="/domains/deleted">
          {text.domainList.deleted}
        </Link>
        <Button
          kind="primary"
          unable={mayManage ? undefined : text.rights.create}
          onClick={() => setAdding(true)}
        >
          + {text.domainList.add}
        </Button>
      </div>
      <div className="bands">
        <LoadErrorBand query={domains} isRepeatedElsewhere={domains.isPart} />
        {domains.isPart && !domains.isFetching && (
          <PartBand words={text.domainList} count={all?.length ?? 0} onLoad={() => void domains.refetch()} />
        )}
      </div>
      {all === undefined && !domains.isError && <Placeholder />}
      {all?.length === 0 && <NoDomains onAdd={mayManage ? () => setAdding(true) : undefined} />}
      {all !== undefined && all.length > 0 && (
        <DomainList
          all={all}
          isPart={domains.isPart}
          search={search}
          onSearch={setSearch}
          onDelete={mayManage ? setDeleted : undefined}
        />
      )}
      {isAdding && <NewDomainDialog onClose={() => setAdding(false)} />}
      {deleted !== undefined && <DeleteDomainDialog domain={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface DomainListProps {
  readonly all: readonly ListedDomain[];
  readonly isPart: boolean;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onDelete: ((domain: string) => void) | undefined;
}

function DomainList({ all, isPart, search, onSearch, onDelete }: DomainListProps) {
  const found = findDomains(all, search);
  return (
    <SearchedList
      search={search}
      onSearch={onSearch}
      searchLabel={text.domainList.search}
      rows={found}
      count={found.length === 1 ? text.domainList.one : text.domainList.count(formatNumber(found.length))}
      isPart={isPart}
      noMatch={isPart ? text.domainList.noMatchInPart(search) : text.domainList.noMatch(search)}
      keyOf={({ domain }) => domain}
      rowHeight={ROW_HEIGHT}
      label={text.domains}
    >
      {(domain) => <DomainRow domain={domain} onDelete={onDelete} />}
    </SearchedList>
  );
}

function NoDomains({ onAdd }: { readonly onAdd: (() => void) | undefined }) {
  return (
    <div className="empty">
      <h2>{onAdd === undefined ? text.domainList.emptyForReaders : text.domainList.emptyTitle}</h2>
      <p className="muted">{onAdd === undefined ? text.rights.create : text.domainList.emptyWhy}</p>
      {onAdd !== undefined && <Button onClick={onAdd}>{text.domainList.add}</Button>}
    </div>
  );
}
