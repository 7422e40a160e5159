import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { text } from '../text/en.ts';
import type { HistoryFilter, HistoryFilterName } from './history-filter.ts';
import type { Author } from './use-authors.ts';

const words = text.history;

interface HistoryToolsProps {
  readonly filter: HistoryFilter;
  readonly onFilter: (filter: HistoryFilter) => void;
  /** Those that may have changed something. */
  readonly authors: readonly Author[];
}

/** Who, and from which day to which. */
export function HistoryTools({ filter, onFilter, authors }: HistoryToolsProps) {
  const set = (name: HistoryFilterName) => (value: string) => onFilter({ ...filter, [name]: value });
  const options = authors.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="tools fields">
      <SelectField
        label={words.who}
        value={filter.actor ?? ''}
        onValue={set('actor')}
        options={[{ value: '', label: words.anybody }, ...options]}
      />
      <TextField type="date" label={text.trail.from} value={filter.from ?? ''} onValue={set('from')} />
      <TextField type="date" label={text.trail.to} value={filter.to ?? ''} onValue={set('to')} />
      {Object.keys(filter).length > 0 && (
        <Button kind="quiet" onClick={() => onFilter({})}>
          {text.trail.clear}
        </Button>
      )}
    </div>
  );
}
