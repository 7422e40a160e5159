import { text } from '../text/en.ts';

const words = text.delegation;

interface ComparisonProps {
  readonly has: readonly string[];
  readonly wanted: readonly string[];
}

/** Compares what a server has with what it should have. */
export function Comparison({ has, wanted }: ComparisonProps) {
  const others = has.filter((item) => !wanted.includes(item));
  return (
    <ul className="stack-small">
      {wanted.map((item) => (
        <li key={item} className="line">
          <span className="mono">{item}</span>
          {has.includes(item) ? (
            <span className="small muted">{words.there}</span>
          ) : (
            <span className="tag warning">{words.missing}</span>
          )}
        </li>
      ))}
      {others.map((item) => (
        <li key={item} className="line">
          <span className="mono">{item}</span>
          <span className="tag warning">{words.unexpected}</span>
        </li>
      ))}
    </ul>
  );
}
