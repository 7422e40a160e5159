import { ApiError } from '../../../src/client/zonewright-client.ts';
import type { ProblemJson } from '../../../src/contract/response-shapes.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { findLine, type ImportSource } from './import-source.ts';

const words = text.import;

interface ImportProblemsProps {
  readonly error: unknown;
  readonly source: ImportSource;
  readonly onRepeat: () => void;
  /** Leads to a line of the text; absent: it cannot be edited here. */
  readonly onLine: ((line: number) => void) | undefined;
}

/** Why a text cannot be imported: each problem with its line. */
export function ImportProblems({ error, source, onRepeat, onLine }: ImportProblemsProps) {
  const problems = error instanceof ApiError ? (error.problems as readonly ProblemJson[]) : [];
  const more = error instanceof ApiError ? error.more : 0;
  if (problems.length === 0) return <ErrorBand error={error} onRepeat={onRepeat} />;
  return (
    <Band kind="error" title={words.problems(formatNumber(problems.length + more))}>
      <ul className="stack">
        {problems.map(({ line, column, message }, at) => (
          <li key={at} className="stack-small">
            <div className="line">
              {line !== undefined && (
                <strong className="numbers">
                  {column === undefined ? words.line(line) : words.place(line, column)}
                </strong>
              )}
              <span>{asSentence(message)}</span>
              {line !== undefined && onLine !== undefined && (
                <Button aria-label={`${words.goTo}: ${words.line(line)}`} onClick={() => onLine(line)}>
                  {words.goTo}
                </Button>
              )}
            </div>
            {line !== undefined && <code className="cut">{lineOf(source.text, line)}</code>}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{words.moreProblems(formatNumber(more))}</p>}
    </Band>
  );
}

/** A line can have a whole key in it. */
const SHOWN_CHARACTERS = 200;

function lineOf(content: string, line: number): string {
  const { start, end } = findLine(content, line);
  return content.slice(start, Math.min(end, start + SHOWN_CHARACTERS));
}
