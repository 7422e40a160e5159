import type { ReactNode } from 'react';
import { describeError } from '../service/describe-error.ts';
import { text } from '../text/en.ts';
import { formatClock } from '../text/format-values.ts';
import { Button } from './button.tsx';

interface BandProps {
  readonly kind?: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly children?: ReactNode;
}

/** Stands above the content, which stays as it is. */
export function Band({ kind = 'info', title, children }: BandProps) {
  return (
    <div className={`band ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface ErrorBandProps {
  readonly error: unknown;
  /** The way on, if the same request can be sent again. */
  readonly onRepeat?: (() => void) | undefined;
  /** When what is shown was loaded. */
  readonly asOf?: string | undefined;
  /** Another way on. */
  readonly children?: ReactNode;
}

/** Shows an error: what happened, the sentence of the service, its request id, and a way on. Nothing if there is none. */
export function ErrorBand({ error, onRepeat, asOf, children }: ErrorBandProps) {
  if (error === null || error === undefined) return null;
  const { title, why, requestId, canRepeat } = describeError(error);
  return (
    <Band kind="error" title={title}>
      <p>
        {why} {asOf}
      </p>
      {requestId !== undefined && <p className="muted small mono">{text.errors.requestId(requestId)}</p>}
      {children}
      {canRepeat && onRepeat !== undefined && <Button onClick={onRepeat}>{text.tryNow}</Button>}
    </Band>
  );
}

interface LoadErrorBandProps {
  readonly query: {
    readonly error: unknown;
    readonly data: unknown;
    /** In milliseconds. */
    readonly dataUpdatedAt: number;
    readonly refetch: () => Promise<unknown>;
  };
  /** Another part of the page offers to go on. */
  readonly isRepeatedElsewhere?: boolean;
}

/** Shows why something could not be loaded, and when what is shown was. */
export function LoadErrorBand({ query, isRepeatedElsewhere = false }: LoadErrorBandProps) {
  const { error, data, dataUpdatedAt, refetch } = query;
  return (
    <ErrorBand
      error={error}
      onRepeat={isRepeatedElsewhere ? undefined : () => void refetch()}
      asOf={data === undefined ? undefined : text.errors.asOf(formatClock(dataUpdatedAt))}
    />
  );
}
