import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useMayEdit } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import type { Applied } from './applied-changes.tsx';
import { ConflictList } from './conflict-list.tsx';
import { DifferenceList } from './difference-list.tsx';
import { countDraft, MAX_CHANGES, unstage, type Draft } from './draft.ts';
import { ProblemList, WarningList } from './review-findings.tsx';
import { isOutdated, useReview } from './use-review.ts';
import type { RecordSet } from './use-records.ts';

interface ReviewDeskProps {
  readonly domain: string;
  readonly set: RecordSet;
  readonly draft: Draft;
  readonly onDraft: (edit: (draft: Draft) => Draft) => void;
  readonly onApplied: (applied: Applied) => void;
}

export function ReviewDesk({ domain, set, draft, onDraft, onApplied }: ReviewDeskProps) {
  const [note, setNote] = useState('');
  const [, navigate] = useLocation();
  const mayEdit = useMayEdit(domain);
  const { batch, check, apply, merge, settle } = useReview({ domain, set, draft, note, onDraft, onApplied });
  const { all } = countDraft(draft);
  const records = `/d/${encodeURIComponent(domain)}/records`;
  if (merge !== undefined && merge.conflicts.length > 0)
    return <ConflictList merge={merge} onSettled={settle} />;
  const drop = (key: string): void => onDraft((before) => unstage(before, [key]));
  const edit = (key: string): void => navigate(`${records}?edit=${encodeURIComponent(key)}`);
  const unable = reasonNotToApply(all, mayEdit, check);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (unable === undefined && !apply.isPending) apply.mutate();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      <h2>
        {all === 1
          ? text.review.titleOne(toUnicode(domain))
          : text.review.title(formatNumber(all), toUnicode(domain))}
      </h2>
      {merge !== undefined && <Band title={text.review.merged(formatNumber(merge.merged))} />}
      <ProblemList
        error={check.error}
        keys={batch.keys}
        onEdit={edit}
        onDrop={drop}
        onRepeat={() => void check.refetch()}
      />
      {!isOutdated(apply.error) && <ErrorBand error={apply.error} onRepeat={() => apply.mutate()} />}
      <WarningList warnings={check.data?.warnings ?? []} records={records} />
      <DifferenceList draft={draft} onUndo={drop} />
      <NoteField note={note} onNote={setNote} />
      <ShowRequest
        request={{
          method: 'POST',
          path: `/domains/${domain}/batch`,
          headers: { 'If-Match': set.revision, 'X-Change-Note': note.trim() },
          body: batch.changes,
        }}
        command={`zonewright record batch ${domain} --from changes.json`}
      />
      <div className="line">
        <Link className="button" href={records}>
          {text.back}
        </Link>
        <Button kind="primary" type="submit" isBusy={apply.isPending || check.isFetching} unable={unable}>
          {all === 1 ? text.review.applyOne : text.review.apply(formatNumber(all))}
        </Button>
        {check.isFetching && (
          <span className="late muted" role="status">
            {text.review.checking}
          </span>
        )}
      </div>
    </form>
  );
}

function reasonNotToApply(
  count: number,
  mayEdit: boolean,
  check: { readonly isError: boolean },
): string | undefined {
  if (!mayEdit) return text.rights.viewer;
  if (count > MAX_CHANGES) return text.review.tooMany(formatNumber(MAX_CHANGES));
  return check.isError ? text.review.problems : undefined;
}

/** Most that the service keeps (contract rule 45). */
const MAX_NOTE_CHARACTERS = 500;

function NoteField({ note, onNote }: { readonly note: string; readonly onNote: (note: string) => void }) {
  return (
    <Field label={text.review.note} hint={text.review.noteHint}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="note"
          maxLength={MAX_NOTE_CHARACTERS}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      )}
    </Field>
  );
}
