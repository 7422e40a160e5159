import type { ExplanationJson } from '../../../src/contract/explanation-shape.ts';
import { Code } from '../parts/show-request.tsx';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';

const words = text.ask;

interface ResolverAnswerProps {
  readonly resolver: NonNullable<ExplanationJson['resolver']>;
  /** Whether it says the same as the nameserver here; undefined: that is not known. */
  readonly isSame: boolean | undefined;
}

export function ResolverAnswer({ resolver, isSame }: ResolverAnswerProps) {
  const { address, rcode, authenticated, answer, duration_ms, problem } = resolver;
  const codes: Partial<Record<string, string>> = words.codes;
  return (
    <section className="stack">
      <h2>{words.resolverSays(address)}</h2>
      {rcode === null ? (
        <p>{asSentence(problem ?? words.unknown)}</p>
      ) : (
        <>
          <p>
            {rcode === 'NOERROR' ? (
              (answer ?? []).length === 0 && words.noData
            ) : (
              <strong>{codes[rcode] ?? rcode}</strong>
            )}{' '}
            {isSame !== undefined && (isSame ? words.same : words.differs)}
          </p>
          {answer !== null && answer.length > 0 && (
            <Code title={words.timeLeft} content={answer.join('\n')} />
          )}
          <p className="muted numbers">
            {authenticated === true ? words.validated : words.notValidated}{' '}
            {duration_ms !== null && words.took(formatNumber(duration_ms))}
          </p>
        </>
      )}
    </section>
  );
}
