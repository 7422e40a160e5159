import type { RolloverJson } from '../../../src/contract/signing-status-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { useSigningWrite } from './use-signing.ts';

const words = text.dnssec;

interface RolloverStateProps {
  readonly domain: string;
  readonly rollover: RolloverJson;
  readonly unable: string | undefined;
}

/** The exchange of a key, or the withdrawal of signing: where it is, and how it is held or given up. */
export function RolloverState({ domain, rollover, unable }: RolloverStateProps) {
  const { id, kind, step, date_step, date_next, held } = rollover;
  const cancelling = useSigningWrite(domain, () => service.domains.cancelRollover(domain, id));
  const holding = useSigningWrite(domain, () => service.domains.holdRollover(domain, !held));
  const failed = cancelling.error === null ? holding : cancelling;
  return (
    <div className="stack">
      <h3>{words.rollovers[kind]}</h3>
      <dl className="facts">
        <Fact label={words.step} value={words.steps[step]} />
        <Fact label={words.since} value={formatTime(date_step)} />
        <Fact
          label={words.next}
          value={held ? words.heldNow : date_next === null ? words.nextWaits : formatTime(date_next)}
        />
      </dl>
      <ErrorBand error={failed.error} onRepeat={() => failed.mutate()} />
      <div className="line">
        <Button isBusy={holding.isPending} unable={unable} onClick={() => holding.mutate()}>
          {held ? words.goOn : words.hold}
        </Button>
        {kind !== 'withdrawal' && (
          <Button isBusy={cancelling.isPending} unable={unable} onClick={() => cancelling.mutate()}>
            {words.cancelRoll}
          </Button>
        )}
      </div>
      <ShowRequest
        request={
          kind === 'withdrawal'
            ? { method: 'PATCH', path: `/domains/${domain}/dnssec`, body: { hold: !held } }
            : { method: 'DELETE', path: `/domains/${domain}/dnssec/rollovers/${id}` }
        }
        command={`zonewright domain dnssec ${kind === 'withdrawal' ? (held ? 'resume' : 'hold') : 'cancel'} ${domain}`}
      />
    </div>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="pair">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
