import { formatNumber } from '../text/format-values.ts';
import { Band } from './band.tsx';
import { Button } from './button.tsx';

interface PartBandProps {
  readonly words: {
    readonly part: (count: string) => string;
    readonly partWhy: string;
    readonly loadAll: string;
  };
  /** The number of rows that are loaded. */
  readonly count: number;
  readonly onLoad: () => void;
}

/** Loading a list has stopped half-way: says so, and leads on. Nobody should take a part for all of it. */
export function PartBand({ words, count, onLoad }: PartBandProps) {
  return (
    <Band kind="warning" title={words.part(formatNumber(count))}>
      <p>{words.partWhy}</p>
      <Button onClick={onLoad}>{words.loadAll}</Button>
    </Band>
  );
}
