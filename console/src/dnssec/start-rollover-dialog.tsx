import { useState } from 'react';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { useSigningWrite } from './use-signing.ts';

const words = text.dnssec;

/** Those of which the service makes keys (contract rule 65). */
const offered = ['13', '15'] as const;

interface StartRolloverDialogProps {
  readonly domain: string;
  /** That of the present key. */
  readonly algorithm: number | undefined;
  /** Other providers sign the domain, too, and all have to use one algorithm. */
  readonly isShared: boolean;
  readonly onClose: () => void;
}

/** Begins the exchange of a key. */
export function StartRolloverDialog({ domain, algorithm, isShared, onClose }: StartRolloverDialogProps) {
  const [chosen, setChosen] = useState('');
  const wanted = chosen === '' ? undefined : Number(chosen);
  const start = useSigningWrite(
    domain,
    () => service.domains.startRollover(domain, { algorithm: wanted }),
    onClose,
  );
  return (
    <Dialog title={words.roll} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!start.isPending) start.mutate();
        }}
      >
        <p>{words.rollWhy}</p>
        {isShared ? (
          <p>{words.rollShared}</p>
        ) : (
          <SelectField
            label={words.ds.algorithm}
            hint={words.rollHint}
            value={chosen}
            onValue={setChosen}
            options={[
              { value: '', label: words.sameAlgorithm },
              ...offered
                .filter((number) => Number(number) !== algorithm)
                .map((number) => ({ value: number, label: `${number} ${words.algorithms[number]}` })),
            ]}
          />
        )}
        <ErrorBand error={start.error} onRepeat={() => start.mutate()} />
        <ShowRequest
          request={{
            method: 'POST',
            path: `/domains/${domain}/dnssec/rollovers`,
            body: wanted === undefined ? {} : { algorithm: wanted },
          }}
          command={`zonewright domain dnssec roll ${domain}${wanted === undefined ? '' : ` --algorithm ${wanted}`}`}
        />
        <div className="actions">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={start.isPending}>
            {words.roll}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
