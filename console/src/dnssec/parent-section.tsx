import { useState } from 'react';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { Comparison } from '../domains/comparison.tsx';
import { Looked } from '../domains/looked.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { DsRecord } from './ds-record.tsx';
import { NoteDsDialog } from './note-ds-dialog.tsx';
import { isHosted, needsOwnersWord } from './use-signing.ts';

const words = text.dnssec;

interface ParentSectionProps {
  readonly domain: string;
  readonly status: SigningStatusJson;
  readonly signing: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> };
  /** Why the user may change nothing. */
  readonly mayNot: string | undefined;
}

/** The DS records that the parent zone has to have, to copy them, and those that its servers have. */
export function ParentSection({ domain, status, signing, mayNot }: ParentSectionProps) {
  const [isNoting, setNoting] = useState(false);
  const { ds } = status;
  return (
    <section className="stack">
      <h2>{words.dsTitle}</h2>
      {ds.wanted.length === 0 ? (
        <p>{words.dsNone}</p>
      ) : (
        <>
          <p>{words.dsWhy}</p>
          {ds.wanted.map((data) => (
            <DsRecord key={data} data={data} />
          ))}
        </>
      )}
      <h3 id="seen">{words.seenTitle}</h3>
      {ds.seen.length === 0 ? (
        <p className="muted">{isHosted(status) ? words.seenHosted : words.seenNone}</p>
      ) : (
        <ul className="rows parents" aria-labelledby="seen">
          {ds.seen.map((server) => (
            <SeenServer key={`${server.server} ${server.address ?? ''}`} server={server} wanted={ds.wanted} />
          ))}
        </ul>
      )}
      <div className="line">
        <Button isBusy={signing.isFetching} onClick={() => void signing.refetch()}>
          {text.nameserverPage.look}
        </Button>
        {ds.date_checked !== null && <Looked date={ds.date_checked} />}
      </div>
      {needsOwnersWord(status) && (
        <>
          <p>{words.noteWhy}</p>
          <div className="line">
            <Button unable={mayNot} onClick={() => setNoting(true)}>
              {words.note}
            </Button>
          </div>
        </>
      )}
      <ShowRequest
        request={{ method: 'GET', path: `/domains/${domain}/dnssec/status` }}
        command={`zonewright domain dnssec status ${domain}`}
      />
      {isNoting && <NoteDsDialog domain={domain} wanted={ds.wanted} onClose={() => setNoting(false)} />}
    </section>
  );
}

interface SeenServerProps {
  readonly server: SigningStatusJson['ds']['seen'][number];
  readonly wanted: readonly string[];
}

/** One server of the parent zone, and its DS records of the domain. */
function SeenServer({ server: { server, address, ds, problem }, wanted }: SeenServerProps) {
  return (
    <li>
      <div>
        <strong className={isOwnersWord(server, address) ? '' : 'mono'}>
          {isOwnersWord(server, address) ? words.owner : server}
        </strong>{' '}
        <span className="mono muted">{address}</span>
      </div>
      {ds === null && <p>{problem === null ? words.seenUnknown : asSentence(problem)}</p>}
      {ds?.length === 0 && wanted.length === 0 && <p>{words.seenLacks}</p>}
      {ds !== null && <Comparison has={ds} wanted={wanted} />}
    </li>
  );
}

/** A server has an address, and a name with a dot. */
function isOwnersWord(server: string, address: string | null): boolean {
  return server === 'owner' && address === null;
}
