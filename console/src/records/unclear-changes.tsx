import { ApiError } from '../../../src/client/zonewright-client.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { WaitCancelled } from '../service/waits.ts';
import { text } from '../text/en.ts';
import { DifferenceList } from './difference-list.tsx';
import type { SentChanges } from './draft.ts';
import type { Apply } from './use-apply.ts';

interface UnclearChangesProps {
  readonly sent: SentChanges;
  readonly apply: Apply;
  /** It is under way. */
  readonly isSending: boolean;
}

/** Changes that were sent, and of which nobody knows whether they are live: the same request, sent again, finds out. */
export function UnclearChanges({ sent, apply, isSending }: UnclearChangesProps) {
  const isBusy = isSending || apply.isPending;
  return (
    <div className="stack">
      <Band kind={isBusy ? 'info' : 'warning'} title={isBusy ? text.review.sending : text.review.unclear}>
        {!isBusy && <p>{text.review.unclearWhy}</p>}
      </Band>
      {!isBusy && !isOverload(apply.error) && <ErrorBand error={apply.error} />}
      <DifferenceList draft={sent.staged} />
      <div className="line">
        <Button isBusy={isBusy} onClick={() => void apply.giveUp().catch(() => undefined)}>
          {text.review.compare}
        </Button>
        <Button kind="primary" isBusy={isBusy} onClick={() => apply.repeat(sent)}>
          {text.review.sendAgain}
        </Button>
      </div>
    </div>
  );
}

/** It says that nothing was changed, which is true of the last attempt alone. */
function isOverload(error: unknown): boolean {
  return error instanceof WaitCancelled || (error instanceof ApiError && [429, 503].includes(error.status));
}
