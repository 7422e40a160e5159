import '../style/domain-pages.css';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { DomainHead } from '../domains/domain-head.tsx';
import { ErrorBand } from '../parts/band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { quote } from '../service/format-curl.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { AskForm, type Question } from './ask-form.tsx';
import { Explanation } from './explanation.tsx';

const words = text.ask;

/** The nameserver is asked, and its answer explained. The question stands in the address. @param props.domain with A-labels */
export function AskPage({ domain }: { readonly domain: string }) {
  useTitle(`${words.title}: ${toUnicode(domain)}`);
  const [query, setQuery] = useSearchParams();
  const question = readQuestion(query);
  const explanation = useQuery({
    queryKey: ['explain', domain, question],
    queryFn: () =>
      service.domains.explain(domain, {
        name: question?.name,
        type: question?.type,
        resolver: question?.resolver === '' ? undefined : question?.resolver,
      }),
    enabled: question !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const ask = (next: Question): void => {
    const { name, type, resolver } = next;
    if (question !== undefined && isSame(question, next)) void explanation.refetch();
    else setQuery({ name, type, ...(resolver !== '' && { resolver }) });
  };
  return (
    <>
      <DomainHead domain={domain} />
      <div className="page">
        <AskForm
          key={JSON.stringify(question)}
          domain={domain}
          question={question ?? { name: '@', type: 'A', resolver: '' }}
          isBusy={explanation.isFetching}
          onAsk={ask}
        />
        <ErrorBand error={explanation.error} onRepeat={() => void explanation.refetch()} />
        {question === undefined && <p className="muted">{words.empty}</p>}
        {question !== undefined && explanation.isPending && <Placeholder />}
        {explanation.data !== undefined && <Explanation domain={domain} explanation={explanation.data} />}
        {question !== undefined && (
          <ShowRequest
            request={{ method: 'GET', path: pathOf(domain, question) }}
            command={commandOf(domain, question)}
          />
        )}
      </div>
    </>
  );
}

function readQuestion(query: URLSearchParams): Question | undefined {
  const type = query.get('type');
  if (type === null) return undefined;
  return { name: query.get('name') ?? '@', type, resolver: query.get('resolver') ?? '' };
}

function isSame(one: Question, other: Question): boolean {
  return one.name === other.name && one.type === other.type && one.resolver === other.resolver;
}

function pathOf(domain: string, { name, type, resolver }: Question): string {
  const query = new URLSearchParams({ name, type, ...(resolver !== '' && { resolver }) });
  return `/domains/${domain}/explain?${query.toString()}`;
}

function commandOf(domain: string, { name, type, resolver }: Question): string {
  const option = resolver === '' ? '' : ` --resolver ${quote(resolver)}`;
  return `zonewright explain ${domain} ${quote(name)} ${quote(type)}${option}`;
}
