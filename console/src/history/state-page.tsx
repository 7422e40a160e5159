import '../style/grid.css';
import '../style/domain-pages.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { DomainHead } from '../domains/domain-head.tsx';
import { saveText } from '../parts/save-text.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { TextBlock } from '../parts/text-block.tsx';
import { useTitle } from '../parts/use-title.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import { RevertDesk } from './revert-desk.tsx';

const words = text.stateThen;

/** Lines of text that a page shows at once without becoming slow; the file has all. */
const SHOWN_LINES = 2_000;

interface StatePageProps {
  /** With A-labels. */
  readonly domain: string;
  /** From the address. */
  readonly serial: string;
}

/** The zone as it was, what has changed since then, and the way back. */
export function StatePage({ domain, serial }: StatePageProps) {
  useTitle(`${words.title(serial)}: ${toUnicode(domain)}`);
  if (!/^\d{1,10}$/.test(serial)) return <NotFoundPage />;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <Band title={words.title(serial)}>
          <p>{words.readOnly}</p>
          <div className="line">
            <Link href={`/d/${encodeURIComponent(domain)}/history`}>{words.toHistory}</Link>
            <Link href={`/d/${encodeURIComponent(domain)}/ask?at=${serial}`}>{words.ask}</Link>
          </div>
        </Band>
      </div>
      <div className="page wide">
        <RevertDesk domain={domain} serial={Number(serial)} />
        <ZoneThen domain={domain} serial={Number(serial)} />
      </div>
    </>
  );
}

function ZoneThen({ domain, serial }: { readonly domain: string; readonly serial: number }) {
  const file = useQuery({
    queryKey: ['zone-file', domain, serial],
    queryFn: async () => (await service.zoneFiles.get(domain, { at: serial })).text,
    staleTime: Infinity,
    gcTime: 0,
  });
  const lines = file.data?.split('\n') ?? [];
  return (
    <section className="stack">
      <div className="line apart">
        <h2>{words.zone}</h2>
        {file.data !== undefined && (
          <Button onClick={() => saveText(file.data, 'text/dns', `${domain}-${serial}.zone`)}>
            {words.save}
          </Button>
        )}
      </div>
      <ErrorBand error={file.error} onRepeat={() => void file.refetch()} />
      {file.isPending && <Placeholder />}
      {file.data !== undefined && (
        <TextBlock className="zone-text" label={words.zone}>
          {lines.slice(0, SHOWN_LINES).join('\n')}
        </TextBlock>
      )}
      {lines.length > SHOWN_LINES && (
        <p className="muted">{words.cut(formatNumber(SHOWN_LINES), formatNumber(lines.length))}</p>
      )}
      <ShowRequest
        request={{ method: 'GET', path: `/domains/${domain}/zonefile?at=${serial}` }}
        command={`zonewright zonefile export ${domain} --at ${serial}`}
      />
    </section>
  );
}
