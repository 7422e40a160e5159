import { useEffect, useState } from 'react';
import { useStored } from '../service/value-store.ts';
import { currentWait } from '../service/waits.ts';
import { text } from '../text/en.ts';
import { formatDuration } from '../text/format-values.ts';
import { Band } from './band.tsx';
import { Button } from './button.tsx';

/** Counts down while the service has asked to wait; the request then repeats by itself. */
export function WaitBand() {
  const wait = useStored(currentWait);
  const seconds = useSecondsUntil(wait?.endsAtMs);
  if (wait === undefined) return null;
  return (
    <Band kind="warning" title={wait.status === 429 ? text.errors.limited : text.errors.busyNow}>
      <p className="numbers">{text.errors.waiting(formatDuration(Math.max(1, seconds)))}</p>
      <div className="line">
        <Button onClick={wait.goOn}>{text.tryNow}</Button>
        <Button onClick={wait.cancel}>{text.cancel}</Button>
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
