import { text } from '../text/en.ts';

/** Stands for what is being loaded. It appears after 300 ms: most answers are there before. */
export function Placeholder() {
  return (
    <p className="late muted" role="status">
      {text.loading}
    </p>
  );
}
