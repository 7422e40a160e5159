import { useEffect } from 'react';
import { familyOf } from '../records/type-family.ts';
import { text } from '../text/en.ts';
import type { Entry, EntryGroup } from './palette-entries.ts';

interface PaletteListProps {
  readonly id: string;
  readonly groups: readonly EntryGroup[];
  readonly active: Entry | undefined;
  readonly onPoint: (entry: Entry) => void;
  readonly onChoose: (entry: Entry) => void;
}

/** The id of an entry in the document, for the field that keeps the focus. */
export function optionId(list: string, entry: Entry): string {
  return `${list} ${entry.key}`.replaceAll(/\s/g, '_');
}

/** The list box of the palette. The focus stays in the field. */
export function PaletteList({ id, groups, active, onPoint, onChoose }: PaletteListProps) {
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div id={id} className="palette-list" role="listbox" aria-label={text.palette.results}>
      {groups.map(({ title, entries }, index) => (
        <div key={title} role="group" aria-labelledby={`${id}-${index}`}>
          <div id={`${id}-${index}`} className="title muted small">
            {title}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.key}
              id={optionId(id, entry)}
              entry={entry}
              isActive={entry === active}
              onPoint={onPoint}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps extends Pick<PaletteListProps, 'onPoint' | 'onChoose'> {
  readonly id: string;
  readonly entry: Entry;
  readonly isActive: boolean;
}

function Option({ id, entry, isActive, onPoint, onChoose }: OptionProps) {
  const { label, detail, type } = entry;
  return (
    <div
      id={id}
      className="item"
      role="option"
      aria-selected={isActive}
      title={detail}
      // Not when it is scrolled below a pointer that rests.
      onPointerMove={() => onPoint(entry)}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      <span className="what">{label}</span>
      {type !== undefined && <span className={`type ${familyOf(type) ?? ''}`}>{type}</span>}
      {detail !== undefined && <span className="detail muted mono">{detail}</span>}
    </div>
  );
}
