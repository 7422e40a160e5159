import { useMutation, useQuery } from '@tanstack/react-query';
import type { DelegationJson } from '../../../src/contract/delegation-shape.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Code, ShowRequest } from '../parts/show-request.tsx';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { Looked } from './looked.tsx';
import { ParentServer } from './parent-server.tsx';

const words = text.delegation;

/** The service keeps a look for a minute (contract rule 87). */
const STALE_MS = 60_000;

/** How the parent zone delegates the domain, compared with how it should, and what the registrar must be told. */
export function DelegationSection({ domain }: { readonly domain: string }) {
  const queryKey = ['delegation', domain];
  const delegation = useQuery({
    queryKey,
    queryFn: () => service.domains.delegation(domain),
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
  });
  const looking = useMutation({
    mutationFn: () => service.domains.delegation(domain, { refresh: true }),
    onSuccess: (seen) => queryClient.setQueryData(queryKey, seen),
  });
  const { data } = delegation;
  return (
    <section className="stack">
      <h2>{words.title}</h2>
      <ErrorBand error={delegation.error} onRepeat={() => void delegation.refetch()} />
      {delegation.isPending && <Placeholder />}
      {data !== undefined && <Findings domain={domain} delegation={data} />}
      <ErrorBand error={looking.error} onRepeat={() => looking.mutate()} />
      {data !== undefined && (
        <div className="line">
          <Button isBusy={looking.isPending} onClick={() => looking.mutate()}>
            {text.nameserverPage.look}
          </Button>
          {data.looked_at !== null && <Looked date={data.looked_at} />}
        </div>
      )}
      <ShowRequest
        request={{ method: 'GET', path: `/domains/${domain}/delegation?refresh=true` }}
        command={`zonewright domain delegation ${domain} --refresh`}
      />
    </section>
  );
}

interface FindingsProps {
  readonly domain: string;
  readonly delegation: DelegationJson;
}

function Findings({ domain, delegation }: FindingsProps) {
  const { state, next_step, parent, expected, servers, problems } = delegation;
  const isRight = state === 'delegated' && problems.length === 0;
  const { glue, ds } = expected;
  return (
    <>
      <Band kind={isRight ? 'info' : 'warning'} title={words.states[state]}>
        <p>{asSentence(next_step)}</p>
        {problems.length > 0 && (
          <ul className="bullets">
            {problems.map(({ code, message, servers: seenAt }, index) => (
              <li key={`${code} ${index}`}>
                {asSentence(message)}
                {seenAt.length > 0 && <span className="small"> {words.seenAt(seenAt.join(', '))}</span>}
              </li>
            ))}
          </ul>
        )}
      </Band>
      {glue.length > 0 && (
        <>
          <p>{words.glueWhy(domain)}</p>
          <Code
            title={words.glue}
            content={glue.map(({ name, address }) => `${name} ${address}`).join('\n')}
          />
        </>
      )}
      {ds.length > 0 && <Code title={words.ds} content={ds.join('\n')} />}
      {servers.length === 0 ? (
        <p className="muted">{words.noServers}</p>
      ) : (
        <>
          <h3>{words.servers(parent ?? '')}</h3>
          <ul className="rows parents" aria-label={words.servers(parent ?? '')}>
            {servers.map((server) => (
              <ParentServer
                key={`${server.server} ${server.address ?? ''}`}
                server={server}
                expected={expected}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}
