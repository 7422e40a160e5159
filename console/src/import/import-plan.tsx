import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { DryRunJson } from '../../../src/contract/response-shapes.ts';
import { countChanges } from '../history/change-sets.ts';
import { SoaDifference } from '../history/soa-difference.tsx';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { DifferenceRows, differencesOfChanges } from '../records/difference-list.tsx';
import { NoteField } from '../records/note-field.tsx';
import { WarningList } from '../records/review-findings.tsx';
import { isOutdated } from '../records/use-review.ts';
import { quote } from '../service/format-curl.ts';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import type { ImportSource } from './import-source.ts';
import type { useImport } from './use-import.ts';

const words = text.import;

interface ImportPlanProps {
  readonly domain: string;
  readonly source: ImportSource;
  readonly plan: DryRunJson;
  readonly run: ReturnType<typeof useImport>['run'] & Pick<UseMutationResult, 'error' | 'isPending'>;
  readonly onImport: (note: string) => void;
}

/** Shows what an import would change, and what it would leave out. */
export function ImportPlan({ domain, source, plan, run, onImport }: ImportPlanProps) {
  const [note, setNote] = useState('');
  const { changes, warnings } = plan;
  const ofRecords = countChanges(changes);
  const count = ofRecords + (changes.soa === undefined ? 0 : 1);
  const isPresigned = source.way === 'presigned';
  // Its signatures and serial are new in any case.
  const canRun = count > 0 || isPresigned;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (canRun && !run.isPending) onImport(note.trim());
      }}
    >
      <h2>{words.plan}</h2>
      {changes.unchanged > 0 && <p className="numbers">{words.unchanged(formatNumber(changes.unchanged))}</p>}
      {count === 0 && <p>{isPresigned ? words.sameRecords : words.same}</p>}
      {isPresigned && <PresignedTerms />}
      <LeftOut plan={plan} />
      <WarningList warnings={warnings} records={`/d/${encodeURIComponent(domain)}/records`} />
      {changes.soa && <SoaDifference {...changes.soa} />}
      {ofRecords > 0 && <DifferenceRows rows={differencesOfChanges(changes)} />}
      {canRun && (
        <>
          <NoteField note={note} onNote={setNote} />
          {isOutdated(run.error) ? (
            <Band kind="warning" title={words.outdated} />
          ) : (
            <ErrorBand error={run.error} onRepeat={() => onImport(note.trim())} />
          )}
          <ShowRequest
            request={{
              method: source.way === 'add' ? 'POST' : 'PUT',
              path: `/domains/${domain}/zonefile${isPresigned ? '?presigned=true' : ''}`,
              headers: { 'X-Change-Note': note.trim() },
              file: `${domain}.zone`,
            }}
            command={`zonewright zonefile import ${domain} ${domain}.zone${options[source.way]}${note.trim() === '' ? '' : ` --note ${quote(note.trim())}`}`}
          />
          <div className="line">
            <Button kind="primary" type="submit" isBusy={run.isPending}>
              {isPresigned ? words.serve : count === 1 ? words.runOne : words.run(formatNumber(count))}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** Those of the command line. */
const options = { add: '', replace: ' --replace', presigned: ' --presigned' } as const;

/** Says what is different with a zone that is served as another signer has signed it. */
function PresignedTerms() {
  return (
    <Band kind="warning" title={words.terms}>
      <ul className="bullets">
        {words.termList.map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
    </Band>
  );
}

/** More are not read by people. */
const SHOWN_ROWS = 100;

function LeftOut({ plan: { set_aside = [], adjusted = [] } }: { readonly plan: DryRunJson }) {
  return (
    <>
      {set_aside.length > 0 && (
        <details className="request">
          <summary>{words.setAside(formatNumber(set_aside.length))}</summary>
          <ul className="stack-small">
            {set_aside.slice(0, SHOWN_ROWS).map(({ line, reason, record }) => (
              <li key={line}>
                <strong className="numbers">{words.line(line)}</strong> {asSentence(reason)}{' '}
                <code>{record}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {adjusted.length > 0 && (
        <details className="request">
          <summary>{words.adjusted}</summary>
          <ul className="stack-small">
            {adjusted.map(({ code, count, message }) => (
              <li key={code} className="numbers">
                <strong>{formatNumber(count)}</strong> {asSentence(message)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
