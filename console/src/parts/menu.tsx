import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';

export interface MenuEntry {
  readonly label: string;
  readonly onChoose: () => void;
  readonly isDanger?: boolean;
  /** It is the one that counts, of several. */
  readonly isChosen?: boolean;
}

export interface MenuGroup {
  readonly title?: string;
  readonly entries: readonly MenuEntry[];
}

interface MenuProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly groups: readonly MenuGroup[];
}

export function Menu({ label, className = 'button', children, groups }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger className={className} aria-label={label}>
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end">
          <Base.Popup className="popup">
            {groups.map(({ title, entries }, index) => (
              <Base.Group key={title ?? index}>
                {title !== undefined && <Base.GroupLabel className="title">{title}</Base.GroupLabel>}
                {entries.map((entry) => (
                  <MenuItem key={entry.label} {...entry} />
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function MenuItem({ label, onChoose, isDanger, isChosen }: MenuEntry) {
  const className = isDanger === true ? 'item danger' : 'item';
  if (isChosen === undefined)
    return (
      <Base.Item className={className} onClick={onChoose}>
        {label}
      </Base.Item>
    );
  return (
    <Base.CheckboxItem className={className} checked={isChosen} onCheckedChange={onChoose} closeOnClick>
      <span aria-hidden="true">{isChosen ? '●' : '○'}</span>
      {label}
    </Base.CheckboxItem>
  );
}
