import '../style/grid.css';
import '../style/palette.css';
import { useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { quote } from '../service/format-curl.ts';
import { text } from '../text/en.ts';
import type { Entry } from './palette-entries.ts';
import { optionId, PaletteList } from './palette-list.tsx';
import { PaletteOutcome } from './palette-outcome.tsx';
import { MIN_SEARCH_CHARACTERS, useMaySearchRecords } from './use-found-records.ts';
import { usePaletteGroups } from './use-palette-groups.ts';

interface PaletteProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly onChoose: (href: string) => void;
  readonly onClose: () => void;
}

/** The contract takes 8,194 characters (rule 50). In an address, each can have nine octets, and all must fit into its line. */
const MAX_TYPED_CHARACTERS = 1000;

/** Finds places, pages, domains and records, while somebody types. A combobox: arrows choose in the list, Enter opens. */
export function Palette({ ref, onChoose, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [pointedKey, setPointedKey] = useState<string>();
  const list = useId();
  const search = typed.trim();
  const found = usePaletteGroups(search);
  const entries = found.groups.flatMap((group) => group.entries);
  const active = entries.find(({ key }) => key === pointedKey) ?? entries.at(0);
  const type = (next: string): void => {
    setTyped(next);
    setPointedKey(undefined);
  };
  const handleKey = (event: KeyboardEvent): void => {
    // Enter and arrows choose among the characters of an input method.
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (step !== undefined) setPointedKey(entryBeside(entries, active, step)?.key);
    else if (event.key === 'Enter' && active !== undefined) onChoose(active.href);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="with-button">
        <input
          ref={ref}
          className="input"
          role="combobox"
          aria-label={text.palette.title}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={list}
          aria-activedescendant={active && optionId(list, active)}
          // The part of the page has come after its window.
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_TYPED_CHARACTERS}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={handleKey}
        />
        <Button onClick={onClose}>{text.close}</Button>
      </div>
      <PaletteOutcome search={search} found={found} count={entries.length} />
      {entries.length > 0 && (
        <PaletteList
          id={list}
          groups={found.groups}
          active={active}
          onPoint={({ key }) => setPointedKey(key)}
          onChoose={({ href }) => onChoose(href)}
        />
      )}
      <Request search={search} />
    </>
  );
}

/** Entries that Page Up and Page Down pass. */
const PAGE_ENTRIES = 8;

const steps: Readonly<Partial<Record<string, number>>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -PAGE_ENTRIES,
  PageDown: PAGE_ENTRIES,
};

/** Single steps go round; pages end at the ends. */
function entryBeside(entries: readonly Entry[], active: Entry | undefined, step: number): Entry | undefined {
  const to = entries.findIndex((entry) => entry === active) + step;
  if (Math.abs(step) === 1) return entries.at(to % entries.length);
  return entries.at(Math.min(Math.max(to, 0), entries.length - 1));
}

function Request({ search }: { readonly search: string }) {
  const maySearch = useMaySearchRecords();
  if (!maySearch || search.length < MIN_SEARCH_CHARACTERS) return null;
  const query = new URLSearchParams({ search });
  return (
    <ShowRequest
      request={{ method: 'GET', path: `/records?${query.toString()}` }}
      command={`zonewright record search ${quote(search)}`}
    />
  );
}
