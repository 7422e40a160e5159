import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { KeyJson, NewKeyJson } from '../../../src/contract/key-shape.ts';
import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { text } from '../text/en.ts';
import { KeyRow } from './key-row.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { ShownKey } from './shown-key.tsx';
import { useKeys, useMayManageKeys, useMaySeeKeys } from './use-keys.ts';

/** The height of a row with three lines, in pixels. */
const ROW_HEIGHT = 72;

type Chosen = { readonly kind: 'rotate' | 'revoke'; readonly row: KeyJson };

/** The keys of the account, with which programs act. */
export function KeysPage() {
  useTitle(text.keys.title);
  const maySee = useMaySeeKeys();
  const mayManage = useMayManageKeys();
  const keys = useKeys();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<Chosen>();
  const [made, setMade] = useState<NewKeyJson>();
  const close = (): void => setChosen(undefined);
  return (
    <>
      <div className="head">
        <h1>{text.keys.title}</h1>
        <Button
          kind="primary"
          unable={mayManage ? undefined : text.keys.ownersOnly}
          onClick={() => navigate('/keys/new')}
        >
          + {text.keys.add}
        </Button>
      </div>
      {!maySee && <Band title={text.keys.hidden} />}
      <LoadErrorBand query={keys} />
      {keys.isLoading && <Placeholder />}
      {keys.data?.length === 0 && <NoKeys mayManage={mayManage} />}
      {keys.data !== undefined && keys.data.length > 0 && (
        <VirtualList rows={keys.data} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT} label={text.keys.title}>
          {(row) => <KeyRow row={row} {...(mayManage && { onChoose: (kind) => setChosen({ kind, row }) })} />}
        </VirtualList>
      )}
      {chosen?.kind === 'revoke' && <RevokeKeyDialog row={chosen.row} onClose={close} />}
      {chosen?.kind === 'rotate' && (
        <RotateKeyDialog
          row={chosen.row}
          onMade={(key) => {
            close();
            setMade(key);
          }}
          onClose={close}
        />
      )}
      {made && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

function NoKeys({ mayManage }: { readonly mayManage: boolean }) {
  return (
    <div className="empty">
      <h2>{text.keys.empty}</h2>
      <p className="muted">{text.keys.why}</p>
      {mayManage && (
        <Link className="button" href="/keys/new">
          {text.keys.add}
        </Link>
      )}
    </div>
  );
}

/** Nothing but its button closes it: the key is shown once. */
function MadeDialog({ made, onClose }: { readonly made: NewKeyJson; readonly onClose: () => void }) {
  return (
    <Dialog title={text.keys.made(made.label)} isOpen isFirm onClose={onClose}>
      <ShownKey made={made} />
      <div className="actions">
        <Button onClick={onClose}>{text.keys.kept}</Button>
      </div>
    </Dialog>
  );
}
