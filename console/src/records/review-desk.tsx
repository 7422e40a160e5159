import { Link, useLocation } from 'wouter';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { quote } from '../service/format-curl.ts';
import { useMayEdit } from '../service/session.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import { DifferenceList } from './difference-list.tsx';
import { countDraft, MAX_CHANGES, unstage, type Draft } from './draft.ts';
import type { MergedDraft } from './merge-draft.ts';
import { NoteField } from './note-field.tsx';
import { ProblemList, WarningList } from './review-findings.tsx';
import type { Apply } from './use-apply.ts';
import { isOutdated, useReview } from './use-review.ts';
import type { Others } from './use-others.ts';
import type { RecordSet } from './record-set.ts';

export interface ReviewDeskProps {
  readonly domain: string;
  readonly set: RecordSet;
  /** Without conflicts. */
  readonly merge: MergedDraft;
  readonly others: Others;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
  readonly apply: Apply;
  readonly note: string;
  readonly onNote: (note: string) => void;
}

export function ReviewDesk({ domain, set, merge, others, onDraft, apply, note, onNote }: ReviewDeskProps) {
  const { draft } = merge;
  const [, navigate] = useLocation();
  const mayEdit = useMayEdit(domain);
  const { batch, check, checkAgain } = useReview(domain, set, draft);
  const { all } = countDraft(draft);
  const records = `/d/${encodeURIComponent(domain)}/records`;
  const send = (): void => apply.apply(draft, set.revision, note.trim());
  const drop = (key: string): void => void onDraft((before) => unstage(before, [key]));
  const edit = (key: string): void => navigate(`${records}?edit=${encodeURIComponent(key)}`);
  const unable = reasonNotToApply(all, mayEdit, check);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (unable === undefined && !apply.isPending && check.isSuccess && !check.isFetching) send();
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
      {others.summary !== undefined && <Band title={others.summary} />}
      {isOutdated(check.error) && !check.isFetching ? (
        <Band kind="warning" title={text.review.restless}>
          <Button onClick={() => void checkAgain()}>{text.review.checkAgain}</Button>
        </Band>
      ) : (
        <ProblemList
          error={check.error}
          keys={batch.keys}
          onEdit={edit}
          onDrop={drop}
          onRepeat={() => void checkAgain()}
        />
      )}
      {!isOutdated(apply.error) && !apply.isPending && <ErrorBand error={apply.error} onRepeat={send} />}
      <WarningList warnings={check.data?.warnings ?? []} records={records} />
      <DifferenceList draft={draft} onUndo={drop} />
      <NoteField note={note} onNote={onNote} />
      <ShowRequest
        request={{
          method: 'POST',
          path: `/domains/${domain}/batch`,
          headers: { 'If-Match': set.revision, 'X-Change-Note': note.trim() },
          body: batch.changes,
        }}
        command={commandOf(domain, batch.changes, set.revision, note.trim())}
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

function commandOf(domain: string, changes: object, revision: string, note: string): string {
  const noted = note === '' ? '' : ` --note ${quote(note)}`;
  return [
    `printf %s ${quote(JSON.stringify(changes))}`,
    `zonewright record batch ${domain} --from - --yes --if-match ${quote(revision)}${noted}`,
  ].join(' | ');
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
