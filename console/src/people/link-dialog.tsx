import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { copyText } from '../parts/toasts.tsx';
import { text } from '../text/en.ts';
import { formatTime } from '../text/format-values.ts';

interface LinkDialogProps {
  readonly title: string;
  /** A sentence: for whom the link is. */
  readonly why: string;
  readonly link: string;
  readonly dateExpires: string;
  readonly onClose: () => void;
}

/** A link that is shown once: nothing but its button closes it. */
export function LinkDialog({ title, why, link, dateExpires, onClose }: LinkDialogProps) {
  return (
    <Dialog title={title} isOpen isFirm onClose={onClose}>
      <Band kind="warning" title={text.people.linkOnce}>
        <p>{why}</p>
        <p>{text.people.linkEnds(formatTime(dateExpires))}</p>
      </Band>
      <output className="secret mono">{link}</output>
      <div className="actions">
        <Button onClick={onClose}>{text.people.linkKept}</Button>
        <Button kind="primary" onClick={() => void copyText(link)}>
          {text.people.copyLink}
        </Button>
      </div>
    </Dialog>
  );
}
