import { Link } from 'wouter';
import type { ExplanationJson } from '../../../src/contract/explanation-shape.ts';
import { Band } from '../parts/band.tsx';
import { Code } from '../parts/show-request.tsx';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { isSameAnswer } from './is-same-answer.ts';
import { ResolverAnswer } from './resolver-answer.tsx';

const words = text.ask;

interface ExplanationProps {
  readonly domain: string;
  readonly explanation: ExplanationJson;
}

/** The answer of the nameserver, the reasons for it, and what a resolver says to the same question. */
export function Explanation({ domain, explanation }: ExplanationProps) {
  const { name, type, steps, served, predicted, agrees, note, resolver } = explanation;
  return (
    <>
      <section className="stack" aria-label={words.answer}>
        <h2>
          {name} {type}
        </h2>
        <p role="status">
          <strong>{summaryOf(explanation)}</strong>
        </p>
        {served === null && predicted !== null && predicted.answer.length > 0 && (
          <Code
            title={words.predicted}
            content={predicted.answer.map((set) => `${set.name} ${set.type}`).join('\n')}
          />
        )}
        {served !== null &&
          (['answer', 'authority', 'additional'] as const).map(
            (part) =>
              served[part].length > 0 && (
                <Code key={part} title={words.parts[part]} content={served[part].join('\n')} />
              ),
          )}
        {note !== null && <Band kind={agrees === false ? 'warning' : 'info'} title={asSentence(note)} />}
      </section>
      <section className="stack">
        <h2>{words.why}</h2>
        <ol className="reasons">
          {steps.map((step, index) => (
            <li key={`${step.code} ${index}`}>
              {asSentence(step.message)}{' '}
              {step.records.length > 0 && (
                <Link href={recordsOf(domain, step.name)} aria-label={`${words.toRecords}: ${step.name}`}>
                  {step.records.length === 1 ? words.toRecord : words.toRecords}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </section>
      {resolver !== null && (
        <ResolverAnswer
          resolver={resolver}
          isSame={served === null ? undefined : isSameAnswer(served, resolver)}
        />
      )}
    </>
  );
}

function summaryOf({ served, predicted }: ExplanationJson): string {
  const { rcode } = served ?? predicted ?? {};
  if (rcode === undefined) return words.unknown;
  const codes: Partial<Record<string, string>> = words.codes;
  if (rcode !== 'NOERROR') return codes[rcode] ?? rcode;
  if (served?.authoritative === false) return words.referral;
  return (served ?? predicted)?.answer.length === 0 ? words.noData : words.found;
}

/** The records of a name, in the grid. @param name with the domain */
function recordsOf(domain: string, name: string): string {
  const own = name.toLowerCase();
  const relative = own === domain ? '@' : own.endsWith(`.${domain}`) ? own.slice(0, -domain.length - 1) : own;
  return `/d/${encodeURIComponent(domain)}/records?${new URLSearchParams({ name: relative }).toString()}`;
}
