import { text } from '../text/en.ts';
import type { ImportSource, ImportWay } from './import-source.ts';

const words = text.import;
const ways: readonly ImportWay[] = ['add', 'replace', 'presigned'];

interface WayFieldProps {
  readonly source: ImportSource;
  readonly onChange: (members: Partial<ImportSource>) => void;
  /** Another signer has signed the domain: only a newly signed file takes the place of the one before. */
  readonly isPresigned: boolean;
}

/** Asks what happens to what the domain has. */
export function WayField({ source, onChange, isPresigned }: WayFieldProps) {
  return (
    <fieldset className="choices" aria-label={words.way}>
      {ways.map((way) => (
        <label key={way}>
          <input
            type="radio"
            name="way"
            checked={source.way === way}
            disabled={isPresigned && way !== 'presigned'}
            onChange={() => onChange({ way })}
          />
          <span>
            <strong>{words.ways[way]}</strong> <span className="muted">{words.wayWhy[way]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
