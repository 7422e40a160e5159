import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';

interface PaletteButtonProps {
  readonly onOpen: () => void;
  /** Only an icon, for narrow screens. */
  readonly isShort?: boolean;
}

/** Opens the palette: also for people without a keyboard. */
export function PaletteButton({ onOpen, isShort = false }: PaletteButtonProps) {
  return (
    <Button
      kind={isShort ? 'quiet' : 'plain'}
      className={isShort ? 'icon' : 'find'}
      aria-label={text.palette.title}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {isShort ? (
        <SearchIcon />
      ) : (
        <>
          <span>{text.palette.title}</span>
          <kbd aria-hidden="true">{isApple() ? '⌘ K' : 'Ctrl K'}</kbd>
        </>
      )}
    </Button>
  );
}

function isApple(): boolean {
  return /Mac OS/.test(navigator.userAgent);
}

function SearchIcon() {
  return (
    <svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor">
      <circle cx="7" cy="7" r="4.5" strokeWidth="1.5" />
      <path d="m10.5 10.5 4 4" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}
