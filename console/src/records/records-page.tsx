import '../style/grid.css';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { DomainHead } from '../domains/domain-head.tsx';
import { useMayEdit } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatClock } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import { RecordDesk } from './record-desk.tsx';
import { useDraft } from './use-draft.ts';
import { reloadRecords, useIsOutdated, useRecords } from './use-records.ts';

/** @param props.domain with A-labels */
export function RecordsPage({ domain }: { readonly domain: string }) {
  useTitle(toUnicode(domain));
  const records = useRecords(domain);
  const editor = useDraft(domain);
  const mayEdit = useMayEdit(domain);
  const isOutdated = useIsOutdated(domain, records.data);
  const { data } = records;
  const { draft } = editor;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <ErrorBand
          error={records.error}
          onRepeat={() => void records.refetch()}
          asOf={data && text.errors.asOf(formatClock(records.dataUpdatedAt))}
        />
        <ErrorBand error={editor.failure} />
        {!mayEdit && <Band title={text.rights.viewer} />}
        {isOutdated && (
          <Band kind="warning" title={text.records.outdated}>
            <p>{text.records.outdatedWhy}</p>
            <Button
              isBusy={records.isFetching}
              onClick={() => void reloadRecords(domain).catch(() => undefined)}
            >
              {text.records.show}
            </Button>
          </Band>
        )}
      </div>
      {(data === undefined || draft === undefined) && !records.isError && <Placeholder />}
      {data !== undefined && draft !== undefined && (
        <RecordDesk
          domain={domain}
          set={data}
          draft={draft}
          onDraft={editor.change}
          mayEdit={mayEdit && !data.isPart}
        />
      )}
    </>
  );
}
