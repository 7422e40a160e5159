import { useEffect, useState } from 'react';
import { useStored } from '../service/value-store.ts';
import { currentWaits } from '../service/waits.ts';
import { text } from '../text/en.ts';
import { formatDuration } from '../text/format-values.ts';
import { Band } from './band.tsx';
import { Button } from './button.tsx';

/** Counts down while the service has asked to wait; the requests then repeat by themselves. */
export function WaitBand() {
  const waits = useStored(currentWaits);
  const last = waits.toSorted((one, other) => one.endsAtMs - other.endsAtMs).at(-1);
  const seconds = useSecondsUntil(last?.endsAtMs);
  if (last === undefined) return null;
  return (
    <Band kind="warning" title={last.status === 429 ? text.errors.limited : text.errors.busyNow}>
      <p className="numbers">{text.errors.waiting(formatDuration(Math.max(1, seconds)))}</p>
      <div className="line">
        <Button onClick={() => waits.forEach(({ goOn }) => goOn())}>{text.tryNow}</Button>
        <Button onClick={() => waits.forEach(({ cancel }) => cancel())}>{text.errors.cancelRequest}</Button>
      </div>
    </Band>
  );
}

function useSecondsUntil(endsAtMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (endsAtMs === undefined) return undefined;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return endsAtMs === undefined ? 0 : Math.ceil((endsAtMs - nowMs) / 1000);
}
