import '../style/grid.css';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { PresignedBand } from '../dnssec/presigned-band.tsx';
import { useIsPresigned } from '../dnssec/use-signing.ts';
import { Band, ErrorBand, LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { PartBand } from '../parts/part-band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { DomainHead } from '../domains/domain-head.tsx';
import { useMayEdit } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import type { MergedDraft } from './merge-draft.ts';
import { RecordDesk } from './record-desk.tsx';
import { useMergedDraft } from './use-merged-draft.ts';
import { updateRecords, useIsOutdated, useRecords } from './use-records.ts';

/** @param props.domain with A-labels */
export function RecordsPage({ domain }: { readonly domain: string }) {
  useTitle(toUnicode(domain));
  const records = useRecords(domain);
  const { merge, change, failure } = useMergedDraft(domain, records.data);
  const mayEdit = useMayEdit(domain);
  const isPresigned = useIsPresigned(domain);
  const update = useMutation({ mutationFn: () => updateRecords(domain) });
  const isOutdated = useIsOutdated(domain, records.data);
  const { data } = records;
  const draft = merge?.all;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <LoadErrorBand query={records} isRepeatedElsewhere={data?.isPart === true} />
        {data?.isPart === true && !records.isFetching && (
          <PartBand words={text.records} count={data.records.length} onLoad={() => void records.refetch()} />
        )}
        <ErrorBand error={failure} />
        {!mayEdit && <Band title={text.rights.viewer} />}
        {isPresigned && <PresignedBand domain={domain} />}
        {isOutdated && (
          <Band kind="warning" title={text.records.outdated}>
            <p>{text.records.outdatedWhy}</p>
            <Button isBusy={update.isPending} onClick={() => update.mutate()}>
              {text.records.show}
            </Button>
          </Band>
        )}
        <ErrorBand error={update.error} onRepeat={() => update.mutate()} />
        {merge !== undefined && <OpenQuestions domain={domain} merge={merge} />}
      </div>
      {(data === undefined || draft === undefined) && !records.isError && <Placeholder />}
      {data !== undefined && draft !== undefined && (
        <RecordDesk
          domain={domain}
          set={data}
          draft={draft}
          onDraft={change}
          mayEdit={mayEdit && !isPresigned && !data.isPart}
          isLoading={records.isFetching}
        />
      )}
    </>
  );
}

/** The questions that have to be answered in the review before anything else can be applied. */
function OpenQuestions({ domain, merge }: { readonly domain: string; readonly merge: MergedDraft }) {
  const { conflicts, all } = merge;
  const count = conflicts.length;
  if (count === 0 && all.sent === undefined) return null;
  const title = all.sent === undefined ? text.review.conflicts(formatNumber(count)) : text.review.unclear;
  return (
    <Band kind="warning" title={title}>
      <p>{all.sent === undefined ? text.review.conflictWhy : text.review.unclearWhy}</p>
      <Link className="button" href={`/d/${encodeURIComponent(domain)}/review`}>
        {text.records.review}
      </Link>
    </Band>
  );
}
