import { useEffect, useState } from 'react';
import { text } from '../text/en.ts';
import { formatDistance } from '../text/format-values.ts';

/** The smallest unit that is shown. */
const TICK_MS = 1_000;

/** Says how long ago servers were asked, and goes on counting. @param props.date RFC 3339, or milliseconds */
export function Looked({ date }: { readonly date: string | number }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [date]);
  // By the clock of the service, which may be a little ahead.
  const atMs = Math.min(new Date(date).getTime(), nowMs);
  return <span className="muted numbers">{text.nameserverPage.looked(formatDistance(atMs, nowMs))}</span>;
}
