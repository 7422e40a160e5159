import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { text } from '../text/en.ts';
import { formatDistance } from '../text/format-values.ts';
import { DsRecord } from './ds-record.tsx';
import { isHosted } from './use-signing.ts';

const words = text.dnssec;

interface ParentSectionProps {
  readonly domain: string;
  readonly status: SigningStatusJson;
  readonly signing: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> };
}

/** The DS records that the parent zone has to have, to copy them, and those that its servers have. */
export function ParentSection({ domain, status, signing }: ParentSectionProps) {
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
      <h3>{words.seenTitle}</h3>
      {ds.seen.length === 0 ? (
        <p className="muted">{isHosted(status) ? words.seenHosted : words.seenNone}</p>
      ) : (
        <dl className="facts">
          {ds.seen.map((server) => (
            <div className="pair" key={`${server.server} ${server.address ?? ''}`}>
              <dt className="mono">
                {server.server} {server.address}
              </dt>
              <dd>{describeSeen(server, ds.wanted)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="line">
        <Button isBusy={signing.isFetching} onClick={() => void signing.refetch()}>
          {text.nameserverPage.look}
        </Button>
        {ds.date_checked !== null && (
          <span className="muted">{text.nameserverPage.looked(formatDistance(ds.date_checked))}</span>
        )}
      </div>
      <ShowRequest
        request={{ method: 'GET', path: `/domains/${domain}/dnssec/status` }}
        command={`zonewright domain dnssec status ${domain}`}
      />
    </section>
  );
}

function describeSeen(
  { ds, problem }: SigningStatusJson['ds']['seen'][number],
  wanted: readonly string[],
): string {
  if (ds === null) return problem ?? words.seenUnknown;
  if (ds.length === 0) return words.seenLacks;
  const missing = wanted.filter((data) => !ds.includes(data));
  const others = ds.filter((data) => !wanted.includes(data));
  if (missing.length === 0 && others.length === 0) return words.seenHas;
  return missing.length === 0 ? words.seenMore(others.join('; ')) : words.seenOther(ds.join('; '));
}
