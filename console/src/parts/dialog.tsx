import { Dialog as Base } from '@base-ui/react/dialog';
import type { CSSProperties, ReactNode, RefObject } from 'react';
import { WaitBand } from './wait-band.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Another look than in the middle of the page. */
  readonly className?: string;
  readonly style?: CSSProperties;
  /** The page behind it stays in plain sight. */
  readonly isClear?: boolean;
  /** It stays until it is answered. */
  readonly isFirm?: boolean;
  /** Gets the focus; by default the first control. */
  readonly focus?: RefObject<HTMLElement | null> | undefined;
  /** Gets the focus afterwards, if what opened the dialog may be gone. */
  readonly returnFocus?: (() => HTMLElement | null) | undefined;
}

/** Keeps the focus inside, and gives it back. On a phone, it is a sheet. */
export function Dialog(props: DialogProps) {
  const {
    title,
    isOpen,
    onClose,
    children,
    className = 'dialog',
    style,
    isClear = false,
    isFirm = false,
  } = props;
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open && !isFirm) onClose();
      }}
      disablePointerDismissal={isFirm || isClear}
    >
      <Base.Portal>
        <Base.Backdrop className={isClear ? 'backdrop clear' : 'backdrop'} />
        <Base.Popup
          className={className}
          style={style}
          {...(props.focus && { initialFocus: props.focus })}
          {...(props.returnFocus && { finalFocus: props.returnFocus })}
        >
          <Base.Title>{title}</Base.Title>
          <WaitBand />
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
