import type { ChangeJson } from '../../../src/contract/response-shapes.ts';
import { text } from '../text/en.ts';

type SoaFields = NonNullable<ChangeJson['soa']>['before'];

interface SoaDifferenceProps {
  readonly before: SoaFields;
  readonly after: SoaFields;
}

/** The fields of the SOA record that people set, if they change. */
export function SoaDifference({ before, after }: SoaDifferenceProps) {
  return (
    <ul className="rows differences" aria-label="SOA">
      {(['nsprimary', 'email'] as const)
        .filter((field) => before[field] !== after[field])
        .map((field) => (
          <li key={field}>
            <div className="difference changed">
              <span className="mark">
                <span aria-hidden="true">~</span> {text.records.changed}
              </span>
              <span>{text.history.soa[field]}</span>
              <span>SOA</span>
              <span className="versions">
                <s>{before[field] ?? text.history.byDefault}</s>
                <span>{after[field] ?? text.history.byDefault}</span>
              </span>
            </div>
          </li>
        ))}
    </ul>
  );
}
