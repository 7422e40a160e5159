import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { text } from '../text/en.ts';
import type { FilterName, TrailFilter } from './trail-filter.ts';

const chosenByRow = ['actor', 'object', 'address'] as const;

interface TrailToolsProps {
  readonly filter: TrailFilter;
  readonly onFilter: (filter: TrailFilter) => void;
}

export function TrailTools({ filter, onFilter }: TrailToolsProps) {
  const set = (name: FilterName) => (value: string) => onFilter({ ...filter, [name]: value });
  const chips = chosenByRow.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return (
    <div className="tools fields">
      <SelectField
        label={text.trail.action}
        value={filter.action ?? ''}
        onValue={set('action')}
        options={actionOptions(filter.action)}
      />
      <TextField type="date" label={text.trail.from} value={filter.from ?? ''} onValue={set('from')} />
      <TextField type="date" label={text.trail.to} value={filter.to ?? ''} onValue={set('to')} />
      {chips.map(({ name, value }) => (
        <Button key={name} aria-label={text.trail.drop(text.trail.chips[name])} onClick={() => set(name)('')}>
          {text.trail.chips[name]} <span className="mono cut">{value}</span> ×
        </Button>
      ))}
      {Object.keys(filter).length > 0 && (
        <Button kind="quiet" onClick={() => onFilter({})}>
          {text.trail.clear}
        </Button>
      )}
    </div>
  );
}

/** All, each group, and one action that the address names. */
function actionOptions(chosen = '') {
  const groups = Object.entries(text.trail.groups).map(([value, label]) => ({ value: `${value}.`, label }));
  const isOther = chosen !== '' && !groups.some(({ value }) => value === chosen);
  return [
    { value: '', label: text.trail.anyAction },
    ...groups,
    ...(isOther ? [{ value: chosen, label: chosen }] : []),
  ];
}
