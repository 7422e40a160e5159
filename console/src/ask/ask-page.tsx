import '../style/domain-pages.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { DomainHead } from '../domains/domain-head.tsx';
import { Band, ErrorBand } from '../parts/band.tsx';
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
  const at = query.get('at') ?? '';
  const explanation = useQuery({
    queryKey: ['explain', domain, question],
    queryFn: () =>
      service.domains.explain(domain, {
        name: question?.name,
        type: question?.type,
        resolver: question?.resolver === '' ? undefined : question?.resolver,
        at: question?.at === '' ? undefined : question?.at,
      }),
    enabled: question !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const ask = (next: Question): void => {
    if (question !== undefined && isSame(question, next)) void explanation.refetch();
    else setQuery(new URLSearchParams(wordsOf(next)));
  };
  return (
    <>
      <DomainHead domain={domain} />
      {at !== '' && <PastBand domain={domain} at={at} question={question} />}
      <div className="page">
        <AskForm
          key={JSON.stringify([at, question])}
          domain={domain}
          question={question ?? { name: '@', type: 'A', resolver: '', at }}
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

interface PastBandProps {
  readonly domain: string;
  readonly at: string;
  readonly question: Question | undefined;
}

/** Says that the answers are those of an earlier state, and leads back to today. */
function PastBand({ domain, at, question }: PastBandProps) {
  const today =
    question === undefined ? '' : `?${new URLSearchParams(wordsOf({ ...question, at: '' })).toString()}`;
  return (
    <div className="bands">
      <Band title={words.past(at)}>
        <p>{words.pastWhy}</p>
        <Link href={`/d/${encodeURIComponent(domain)}/ask${today}`}>{words.today}</Link>
      </Band>
    </div>
  );
}

function readQuestion(query: URLSearchParams): Question | undefined {
  const type = query.get('type');
  if (type === null) return undefined;
  const at = query.get('at') ?? '';
  return {
    name: query.get('name') ?? '@',
    type,
    resolver: at === '' ? (query.get('resolver') ?? '') : '',
    at,
  };
}

function isSame(one: Question, other: Question): boolean {
  return JSON.stringify(wordsOf(one)) === JSON.stringify(wordsOf(other));
}

/** As parameters of an address and of a request. */
function wordsOf({ name, type, resolver, at }: Question): Record<string, string> {
  return { name, type, ...(resolver !== '' && { resolver }), ...(at !== '' && { at }) };
}

function pathOf(domain: string, question: Question): string {
  return `/domains/${domain}/explain?${new URLSearchParams(wordsOf(question)).toString()}`;
}

function commandOf(domain: string, question: Question): string {
  const { name, type, ...options } = wordsOf(question);
  const given = Object.entries(options).map(([option, value]) => ` --${option} ${quote(value)}`);
  return `zonewright explain ${domain} ${quote(name)} ${quote(type)}${given.join('')}`;
}
