import '../style/grid.css';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Link } from 'wouter';
import { DomainHead } from '../domains/domain-head.tsx';
import { Band, ErrorBand } from '../parts/band.tsx';
import { PartBand } from '../parts/part-band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { AppliedChanges, type Applied } from './applied-changes.tsx';
import { ConflictList } from './conflict-list.tsx';
import { countDraft, invertChanges } from './draft.ts';
import { ReviewDesk, type ReviewDeskProps } from './review-desk.tsx';
import { UnclearChanges } from './unclear-changes.tsx';
import { useApply, useIsSending } from './use-apply.ts';
import { newDraftKey } from './use-draft.ts';
import { useOthers } from './use-others.ts';
import { useMergedDraft, type MergedDraftEditor } from './use-merged-draft.ts';
import { useRecords } from './use-records.ts';

/** The staged changes, compared and checked, then applied as one. @param props.domain with A-labels */
export function ReviewPage({ domain }: { readonly domain: string }) {
  useTitle(`${text.records.review}: ${toUnicode(domain)}`);
  const records = useRecords(domain);
  const set = records.data;
  const { merge, change, changeKept, failure } = useMergedDraft(domain, set);
  const [applied, setApplied] = useState<Applied>();
  const [note, setNote] = useState('');
  const isHere = useIsHere();
  const apply = useApply({
    domain,
    change,
    changeKept,
    onApplied: (result) => {
      setApplied(result);
      setNote('');
      return isHere.current;
    },
  });
  const isEmpty = merge !== undefined && countDraft(merge.all).all === 0 && merge.all.sent === undefined;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <ErrorBand
          error={records.error}
          onRepeat={set?.isPart === true ? undefined : () => void records.refetch()}
        />
        {set?.isPart === true && !records.isFetching && (
          <PartBand words={text.records} count={set.records.length} onLoad={() => void records.refetch()} />
        )}
        <ErrorBand error={failure} />
      </div>
      {(merge === undefined || set?.isPart !== false) && !records.isError && <Placeholder />}
      {applied !== undefined && (
        <AppliedChanges
          domain={domain}
          applied={applied}
          onUndo={
            isEmpty
              ? () => {
                  const inverse = invertChanges(applied.changes, newDraftKey);
                  void change(() => inverse);
                  setApplied(undefined);
                }
              : undefined
          }
        />
      )}
      {isEmpty && applied === undefined && <NothingStaged domain={domain} />}
      {merge !== undefined && set?.isPart === false && !isEmpty && (
        <Staged
          domain={domain}
          set={set}
          merge={merge}
          change={change}
          apply={apply}
          note={note}
          onNote={setNote}
        />
      )}
    </>
  );
}

type StagedProps = Omit<ReviewDeskProps, 'onDraft' | 'others'> & Pick<MergedDraftEditor, 'change'>;

/** Asks first about a request whose outcome is not known, then about what others have changed, too. */
function Staged({ change, ...props }: StagedProps) {
  const { domain, set, merge, apply } = props;
  const others = useOthers(domain, set.revision, merge);
  const { sent } = merge.all;
  const isSending = useIsSending(sent);
  if (sent !== undefined && !apply.isPending)
    return <UnclearChanges sent={sent} apply={apply} isSending={isSending} />;
  if (merge.conflicts.length > 0)
    return <ConflictList conflicts={merge.conflicts} others={others} onDraft={change} />;
  return <ReviewDesk {...props} others={others} onDraft={change} />;
}

/** An answer can come when the page has been left. */
function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
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
