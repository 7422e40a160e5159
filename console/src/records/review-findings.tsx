import { Link } from 'wouter';
import type { ProblemJson, WarningJson } from '../../../src/contract/response-shapes.ts';
import { ApiError } from '../../../src/client/zonewright-client.ts';
import { Band, ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import type { DraftBatch } from './draft.ts';

interface ProblemListProps {
  readonly error: unknown;
  readonly keys: DraftBatch['keys'];
  readonly onEdit: (key: string) => void;
  readonly onDrop: (key: string) => void;
  readonly onRepeat: () => void;
}

/** Why the changes are refused: each problem with the way to what it is about. */
export function ProblemList({ error, keys, onEdit, onDrop, onRepeat }: ProblemListProps) {
  const problems = error instanceof ApiError ? (error.problems as readonly ProblemJson[]) : [];
  if (problems.length === 0) return <ErrorBand error={error} onRepeat={onRepeat} />;
  return (
    <Band kind="error" title={text.review.problems}>
      <ul className="stack-small">
        {problems.map(({ list, index, message }, at) => {
          const key = list && keys[list][index ?? -1];
          return (
            <li key={at} className="line">
              <span>{message}.</span>
              {key !== undefined && list !== 'delete' && (
                <Button onClick={() => onEdit(key)}>{text.review.editIt}</Button>
              )}
              {key !== undefined && <Button onClick={() => onDrop(key)}>{text.review.dropIt}</Button>}
            </li>
          );
        })}
      </ul>
    </Band>
  );
}

interface WarningListProps {
  readonly warnings: readonly WarningJson[];
  /** The address of the records. */
  readonly records: string;
}

/** Likely mistakes. They refuse nothing. */
export function WarningList({ warnings, records }: WarningListProps) {
  if (warnings.length === 0) return null;
  return (
    <Band kind="warning" title={text.review.warnings}>
      <ul className="stack-small">
        {warnings.map(({ code, name, type, message }, at) => (
          <li key={`${code} ${at}`}>
            {message}.{' '}
            <Link
              href={`${records}?${new URLSearchParams({ name: name === '' ? '@' : name, ...(type !== null && { type }) }).toString()}`}
            >
              {text.review.goTo}
            </Link>
          </li>
        ))}
      </ul>
    </Band>
  );
}
