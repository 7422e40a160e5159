import '../style/grid.css';
import { useState } from 'react';
import { Link } from 'wouter';
import { DomainHead } from '../domains/domain-head.tsx';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { AppliedChanges, type Applied } from './applied-changes.tsx';
import { countDraft, emptyDraft, invertChanges } from './draft.ts';
import { ReviewDesk } from './review-desk.tsx';
import { newDraftKey, useDraft } from './use-draft.ts';
import { useRecords } from './use-records.ts';

/** The staged changes, compared and checked, then applied as one. @param props.domain with A-labels */
export function ReviewPage({ domain }: { readonly domain: string }) {
  useTitle(`${text.records.review}: ${toUnicode(domain)}`);
  const records = useRecords(domain);
  const { draft, change } = useDraft(domain);
  const [applied, setApplied] = useState<Applied>();
  const set = records.data;
  const isReady = set !== undefined && !set.isPart && draft !== undefined;
  const isEmpty = draft !== undefined && countDraft(draft).all === 0;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <ErrorBand error={records.error} onRepeat={() => void records.refetch()} />
      </div>
      {!isReady && !records.isError && <Placeholder />}
      {applied !== undefined && isEmpty && (
        <AppliedChanges
          domain={domain}
          applied={applied}
          onUndo={() => {
            change(() => invertChanges(applied.changes, newDraftKey));
            setApplied(undefined);
          }}
        />
      )}
      {isReady && isEmpty && applied === undefined && <NothingStaged domain={domain} />}
      {isReady && !isEmpty && (
        <ReviewDesk
          domain={domain}
          set={set}
          draft={draft}
          onDraft={change}
          onApplied={(result) => {
            setApplied(result);
            change(() => emptyDraft);
          }}
        />
      )}
    </>
  );
}

function NothingStaged({ domain }: { readonly domain: string }) {
  return (
    <div className="empty">
      <Band title={text.review.none}>
        <p>{text.review.noneWhy}</p>
      </Band>
      <Link className="button primary" href={`/d/${encodeURIComponent(domain)}/records`}>
        {text.review.toRecords}
      </Link>
    </div>
  );
}
