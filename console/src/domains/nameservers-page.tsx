import '../style/domain-pages.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ClaimJson } from '../../../src/contract/claim-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Code, ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import { DelegationSection } from './delegation-section.tsx';
import { DomainHead } from './domain-head.tsx';
import { usePropagation } from './use-propagation.ts';

const words = text.nameserverPage;

export function NameserversPage({ domain }: { readonly domain: string }) {
  useTitle(`${words.tell}: ${toUnicode(domain)}`);
  const own = useQuery({ queryKey: ['own-nameservers', domain], queryFn: () => ownNameservers(domain) });
  const claim = useQuery({ queryKey: ['claim', domain], queryFn: () => service.domains.claim(domain) });
  const names = own.data?.length === 0 ? claim.data?.nameservers : own.data;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="page">
        <ErrorBand
          error={own.error ?? claim.error}
          onRepeat={() => void Promise.all([own.refetch(), claim.refetch()])}
        />
        {names === undefined && !own.isError && !claim.isError && <Placeholder />}
        {names !== undefined && (
          <section className="stack">
            <h2>{words.tell}</h2>
            <p>{words.tellWhy}</p>
            {own.data?.length === 0 && <p className="muted">{words.none}</p>}
            <Code title={words.list} content={names.join('\n')} />
            <ShowRequest
              request={{ method: 'GET', path: `/domains/${domain}/records?type=NS&name=@` }}
              command={`zonewright record list ${domain} --type NS --name @`}
            />
          </section>
        )}
        {claim.data?.state === 'unverified' && <Proof domain={domain} claim={claim.data} />}
        <DelegationSection domain={domain} />
        <Serials domain={domain} />
      </div>
    </>
  );
}

async function ownNameservers(domain: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { data } of service.records.list(domain, { type: 'NS', name: '@' }))
    names.push(data.replace(/\.$/, ''));
  return names;
}

/** The next step of a domain that is not served before its control is shown. */
function Proof({ domain, claim }: { readonly domain: string; readonly claim: ClaimJson }) {
  const look = useMutation({
    mutationFn: () => service.domains.checkClaim(domain),
    onSuccess: (seen) => {
      queryClient.setQueryData(['claim', domain], seen);
      void queryClient.invalidateQueries({ queryKey: ['domain', domain] });
    },
  });
  const { challenge, seen, date_checked } = claim;
  return (
    <section className="stack">
      <h2>{words.prove}</h2>
      <p>{claim.next_step}</p>
      {challenge !== null && (
        <Code title={challenge.type} content={`${challenge.name}. ${challenge.type} "${challenge.data}"`} />
      )}
      <ErrorBand error={look.error} onRepeat={() => look.mutate()} />
      <div className="line">
        <Button isBusy={look.isPending} onClick={() => look.mutate()}>
          {words.look}
        </Button>
        {date_checked !== null && <span className="muted">{words.looked(formatTime(date_checked))}</span>}
      </div>
      {seen.length > 0 && (
        <dl className="facts" aria-label={words.seen}>
          {seen.map(({ server, address, nameservers, problem }) => (
            <SeenServer
              key={`${server} ${address}`}
              server={server}
              said={problem ?? nameservers?.join(', ') ?? ''}
            />
          ))}
        </dl>
      )}
      <ShowRequest
        request={{ method: 'POST', path: `/domains/${domain}/claim/check` }}
        command={`zonewright domain verify ${domain}`}
      />
    </section>
  );
}

function SeenServer({ server, said }: { readonly server: string; readonly said: string }) {
  return (
    <>
      <dt className="mono">{server}</dt>
      <dd>{said}</dd>
    </>
  );
}

function Serials({ domain }: { readonly domain: string }) {
  const { data, error, refetch } = usePropagation(domain);
  return (
    <section className="stack">
      <h2>{words.liveTitle}</h2>
      <ErrorBand error={error} onRepeat={() => void refetch()} />
      {data !== undefined && (
        <dl className="facts numbers">
          {data.nameservers.map(({ id, name, serial, live, current }) => (
            <SeenServer
              key={id}
              server={name}
              said={`${serial ?? '–'}, ${current ? words.current : live ? words.behind : words.silent}`}
            />
          ))}
        </dl>
      )}
    </section>
  );
}
