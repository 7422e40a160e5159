import { createValueStore, useStored } from '../service/value-store.ts';
import { text } from '../text/en.ts';
import { Button } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Long enough to read two lines and reach the button; what a toast offers is elsewhere, too. */
const SHOWN_MS = 10_000;
/** More would cover the page of a phone. */
const MAX_TOASTS = 3;

const toasts = createValueStore<readonly Toast[]>([]);
let lastId = 0;

export function showToast(message: string, action?: Toast['action']): void {
  const toast: Toast = { id: ++lastId, message, ...(action && { action }) };
  toasts.set([...toasts.get(), toast].slice(-MAX_TOASTS));
  setTimeout(() => removeToast(toast.id), SHOWN_MS);
}

function removeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export async function copyText(content: string, message: string = text.copied): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    showToast(message);
  } catch {
    showToast(text.copyFailed);
  }
}

/** The region of short messages: polite, and there from the beginning, so that screen readers watch it. */
export function Toasts() {
  const shown = useStored(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, message, action }) => (
        <div className="toast" key={id}>
          <span>{message}</span>
          {action !== undefined && (
            <Button
              kind="quiet"
              onClick={() => {
                removeToast(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="quiet" className="icon" aria-label={text.close} onClick={() => removeToast(id)}>
            ×
          </Button>
        </div>
      ))}
    </div>
  );
}
