import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Code } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Looked } from '../domains/looked.tsx';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import type { KnownProblem, Readiness } from './read-readiness.ts';
import { useIsOperator } from './use-accounts.ts';
import { HiddenHealthError, READINESS_PATH, useHealth } from './use-health.ts';

const words = text.health;

/** Shows operators whether the service works, and what to do about each problem that it knows of. */
export function HealthPage() {
  useTitle(words.title);
  const isOperator = useIsOperator();
  const health = useHealth();
  const { data, error } = health;
  return (
    <>
      <div className="head">
        <h1>{words.title}</h1>
      </div>
      {!isOperator && <Band title={words.operatorsOnly} />}
      <div className="bands">
        {error instanceof HiddenHealthError ? (
          <Band kind="error" title={words.hidden}>
            <p>{words.hiddenWhy}</p>
          </Band>
        ) : (
          <LoadErrorBand query={health} />
        )}
        {data && <StateBand readiness={data} />}
      </div>
      {health.isLoading && <Placeholder />}
      {data && (
        <div className="page">
          <ProblemSection problems={data.problems} />
          <Facts readiness={data} />
          <div className="stack">
            <p className="muted">{words.scope}</p>
            <div className="line">
              <Button isBusy={health.isFetching} onClick={() => void health.refetch()}>
                {text.nameserverPage.look}
              </Button>
              <Looked date={health.dataUpdatedAt} />
            </div>
            <details className="request">
              <summary>{text.request.title}</summary>
              <Code title={text.request.curl} content={`curl ${location.origin}${READINESS_PATH}`} />
            </details>
          </div>
        </div>
      )}
    </>
  );
}

function StateBand({ readiness: { isReady, reason, problems } }: { readonly readiness: Readiness }) {
  if (!isReady)
    return (
      <Band kind="error" title={words.notReady}>
        <p>{reason === undefined ? words.noReason : asSentence(reason)}</p>
        <p>{words.notReadyWhy}</p>
      </Band>
    );
  return (
    <Band
      kind={problems.length === 0 ? 'info' : 'warning'}
      title={problems.length === 0 ? words.ready : words.readyBut}
    />
  );
}

function ProblemSection({ problems }: { readonly problems: readonly KnownProblem[] }) {
  const known: Partial<Record<string, { readonly title: string; readonly next: string }>> = words.problems;
  return (
    <section className="stack">
      <h2>{words.problemTitle}</h2>
      {problems.length === 0 ? (
        <p className="muted">{words.noProblem}</p>
      ) : (
        <ul className="rows" aria-label={words.problemTitle}>
          {problems.map(({ problem, message }) => (
            <li key={problem}>
              <div className="name">
                <strong>{known[problem]?.title ?? problem}</strong>
                <p>{asSentence(message)}</p>
                <p>
                  <span className="muted">{words.next}</span> {known[problem]?.next ?? words.otherNext}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Facts({ readiness: { database, lagSeconds, threads } }: { readonly readiness: Readiness }) {
  const databases: Partial<Record<string, string>> = words.databases;
  return (
    <section className="stack">
      <h2>{words.parts}</h2>
      <dl className="facts numbers">
        <dt>{words.store}</dt>
        <dd>{database === undefined ? words.embedded : (databases[database] ?? database)}</dd>
        <dt>{words.threads}</dt>
        <dd>
          {threads === undefined
            ? words.noThreads
            : words.answering(formatNumber(threads.answering), formatNumber(threads.wanted))}
        </dd>
        {lagSeconds !== undefined && (
          <>
            <dt>{words.copy}</dt>
            <dd>{lagOf(lagSeconds)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function lagOf(lagSeconds: number | null): string {
  if (lagSeconds === null) return words.lagUnknown;
  return lagSeconds === 0 ? words.current : words.lag(formatNumber(lagSeconds));
}
