import { useState } from 'react';
import { AppliedChanges } from '../records/applied-changes.tsx';
import { DifferenceRows, differencesOfChanges } from '../records/difference-list.tsx';
import { NoteField } from '../records/note-field.tsx';
import { WarningList } from '../records/review-findings.tsx';
import { isOutdated } from '../records/use-review.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useMayEdit } from '../service/session.ts';
import { quote } from '../service/format-curl.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { countChanges } from './change-sets.ts';
import { SoaDifference } from './soa-difference.tsx';
import { useRevert } from './use-revert.ts';

const words = text.stateThen;

interface RevertDeskProps {
  readonly domain: string;
  readonly serial: number;
}

/** Shows what returning to a serial would change, and does it. */
export function RevertDesk({ domain, serial }: RevertDeskProps) {
  const [note, setNote] = useState('');
  const { plan, revert } = useRevert(domain, serial, note);
  const mayEdit = useMayEdit(domain);
  const planned = plan.data?.plan;
  if (revert.data !== undefined)
    return <AppliedChanges domain={domain} applied={revert.data} onUndo={undefined} />;
  const ofRecords = planned === undefined ? 0 : countChanges(planned.changes);
  const count = ofRecords + (planned?.changes.soa === undefined ? 0 : 1);
  const isSame = planned !== undefined && count === 0;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayEdit && planned !== undefined && !plan.isFetching && !revert.isPending) revert.mutate();
      }}
    >
      <h2>{words.difference}</h2>
      <ErrorBand error={plan.error} onRepeat={() => void plan.refetch()} />
      {isOutdated(revert.error) ? (
        <Band kind="warning" title={words.outdated} />
      ) : (
        <ErrorBand error={revert.error} onRepeat={() => revert.mutate()} />
      )}
      {plan.isPending && <Placeholder />}
      {isSame && <p>{words.same}</p>}
      {planned !== undefined && !isSame && (
        <>
          <WarningList warnings={planned.warnings} records={`/d/${encodeURIComponent(domain)}/records`} />
          {planned.changes.soa && <SoaDifference {...planned.changes.soa} />}
          {ofRecords > 0 && <DifferenceRows rows={differencesOfChanges(planned.changes)} />}
          <NoteField note={note} onNote={setNote} />
          <ShowRequest
            request={{
              method: 'POST',
              path: `/domains/${domain}/revert`,
              headers: { 'X-Change-Note': note.trim() },
              body: { to: serial },
            }}
            command={`zonewright revert ${domain} --to ${serial}${note.trim() === '' ? '' : ` --note ${quote(note.trim())}`}`}
          />
          <div className="line">
            <Button
              kind="primary"
              type="submit"
              isBusy={revert.isPending || plan.isFetching}
              unable={mayEdit ? undefined : text.rights.viewer}
            >
              {words.restore(formatNumber(count), count === 1)}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
