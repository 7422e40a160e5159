import { useEffect, useState, type Ref, type RefObject } from 'react';
import { useStored } from '../service/value-store.ts';
import { singleKeys } from './single-keys.ts';
import { useSettled } from './use-settled.ts';

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  /** Called 300 ms after the last key, for the address. */
  readonly onValue: (value: string) => void;
  /** Called at each key, for what is shown at once. */
  readonly onInput?: (value: string) => void;
  readonly ref: RefObject<HTMLInputElement | null> & Ref<HTMLInputElement>;
  readonly className?: string;
}

const SETTLE_MS = 300;

/** A filter. `/` leads to it from anywhere on the page; Esc empties it. */
export function SearchInput({ label, value, onValue, onInput, ref, className = '' }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed, SETTLE_MS);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (settled === typed && settled !== value) onValue(settled);
    // Only what was typed goes into the address: a change of the address itself comes back as `value`.
  }, [settled]);
  const hasSlashKey = useStored(singleKeys);
  useSlashKey(ref, hasSlashKey);
  const change = (next: string): void => {
    setTyped(next);
    onInput?.(next);
  };
  return (
    <input
      ref={ref}
      className={`input search ${className}`}
      type="search"
      aria-label={label}
      aria-keyshortcuts={hasSlashKey ? '/' : undefined}
      placeholder={hasSlashKey ? `/  ${label}` : label}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={typed}
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== '') change('');
        if (event.key === 'Enter') onValue(typed);
      }}
    />
  );
}

function useSlashKey(ref: RefObject<HTMLInputElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target))
        return;
      event.preventDefault();
      ref.current?.focus();
      ref.current?.select();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [ref, isOn]);
}

/** Keys belong to what is written in there. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
  );
}
