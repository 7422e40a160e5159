import type { ServiceNameserversJson } from '../../../src/contract/nameserver-shape.ts';
import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Section } from '../parts/section.tsx';
import { Code, ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { formatDistance, formatNumber } from '../text/format-values.ts';
import { useIsOperator, useServiceNameservers } from './use-accounts.ts';

const words = text.serviceNameservers;

/** Shows operators the host names of the service, and how far each of its nameserver processes is. */
export function NameserversPage() {
  useTitle(words.title);
  const isOperator = useIsOperator();
  const nameservers = useServiceNameservers();
  const { data } = nameservers;
  return (
    <>
      <div className="head">
        <h1>{words.title}</h1>
      </div>
      {!isOperator && <Band title={words.operatorsOnly} />}
      <div className="bands">
        <LoadErrorBand query={nameservers} />
        {data !== undefined && !data.processes.some(({ live }) => live) && (
          <Band kind="error" title={words.noneLive}>
            <p>{words.noneLiveWhy}</p>
          </Band>
        )}
      </div>
      {nameservers.isLoading && <Placeholder />}
      {data && (
        <div className="page">
          <Names nameservers={data} />
          <Section title={words.processes} why={words.processesWhy}>
            <ul className="rows" aria-label={words.processes}>
              {data.processes.map((process) => (
                <li key={process.id}>
                  <ProcessRow process={process} />
                </li>
              ))}
            </ul>
          </Section>
          <ShowRequest
            request={{ method: 'GET', path: '/nameservers' }}
            command="zonewright domain nameservers list"
          />
        </div>
      )}
    </>
  );
}

function Names({
  nameservers: { names, per_account: count },
}: {
  readonly nameservers: ServiceNameserversJson;
}) {
  // The name of an unset setting is reserved for it (RFC 2606 section 2).
  const isUnset = names.some((name) => name.endsWith('.invalid'));
  return (
    <Section
      title={words.names}
      why={count === null ? words.namesWhy : words.namesOf(formatNumber(count), formatNumber(names.length))}
    >
      {isUnset && (
        <Band kind="warning" title={words.unset}>
          <p>{words.unsetWhy}</p>
        </Band>
      )}
      <Code title={words.names} content={names.join('\n')} />
    </Section>
  );
}

function ProcessRow({
  process: { id, name, date_seen, live, behind },
}: {
  readonly process: ServiceNameserversJson['processes'][number];
}) {
  const isCurrent = live && behind === 0;
  return (
    <>
      <div className="name">
        <strong>{name}</strong>
        <span className="muted small mono">{id}</span>
      </div>
      <span className={isCurrent ? 'tag' : 'tag warning'}>
        {!live
          ? words.silent
          : behind === 0
            ? words.current
            : words.behind(formatNumber(behind), behind === 1)}
      </span>
      <span className="date muted small numbers">{words.seen(formatDistance(date_seen))}</span>
    </>
  );
}
