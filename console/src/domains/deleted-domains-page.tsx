import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { DeletedDomainJson } from '../../../src/contract/response-shapes.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { showToast } from '../parts/toasts.tsx';
import { useTitle } from '../parts/use-title.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { collectPages } from '../service/collect-pages.ts';
import { service } from '../service/service-client.ts';
import { useMayManageDomains, useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import { listDomain } from './use-domains.ts';

/** The height of a row with one line, in pixels. */
const ROW_HEIGHT = 48;

export function DeletedDomainsPage() {
  useTitle(text.deletedDomains.title);
  const account = useSession().account?.id;
  const deleted = useQuery({
    queryKey: ['domains', account, 'deleted'],
    queryFn: ({ signal }) => collectPages(service.domains.listDeleted(), () => undefined, signal),
  });
  const rows = deleted.data;
  return (
    <>
      <div className="head">
        <h1>{text.deletedDomains.title}</h1>
        <Link className="button" href="/domains">
          {text.back}
        </Link>
      </div>
      <ErrorBand error={deleted.error} onRepeat={() => void deleted.refetch()} />
      {rows === undefined && !deleted.isError && <Placeholder />}
      {rows?.length === 0 && (
        <div className="empty">
          <h2>{text.deletedDomains.empty}</h2>
          <p className="muted">{text.deletedDomains.emptyWhy}</p>
        </div>
      )}
      {rows !== undefined && rows.length > 0 && (
        <VirtualList
          rows={rows}
          keyOf={({ id }) => id}
          rowHeight={ROW_HEIGHT}
          label={text.deletedDomains.title}
        >
          {(row) => <DeletedRow row={row} />}
        </VirtualList>
      )}
    </>
  );
}

function DeletedRow({ row: { id, domain, date_deleted } }: { readonly row: DeletedDomainJson }) {
  const [, navigate] = useLocation();
  const mayManage = useMayManageDomains();
  const restoring = useMutation({
    mutationFn: () => service.domains.restore(domain, { id, dryRun: false }),
    onSuccess: ({ value }) => {
      showToast(text.deletedDomains.restored(toUnicode(domain)), {
        label: text.deletedDomains.open,
        run: () => navigate(`/d/${encodeURIComponent(domain)}/records`),
      });
      listDomain(value);
    },
  });
  return (
    <>
      <div className="name">
        <strong>{toUnicode(domain)}</strong>
        {toUnicode(domain) !== domain && <span className="muted small mono">{domain}</span>}
        <span className="muted small numbers">{text.deletedDomains.deleted(formatTime(date_deleted))}</span>
        <ErrorBand error={restoring.error} onRepeat={() => restoring.mutate()} />
      </div>
      <Button
        unable={mayManage ? undefined : text.rights.create}
        isBusy={restoring.isPending}
        onClick={() => restoring.mutate()}
      >
        {text.deletedDomains.restore}
      </Button>
    </>
  );
}
