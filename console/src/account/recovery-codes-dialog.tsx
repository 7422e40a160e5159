import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Code } from '../parts/show-request.tsx';
import { text } from '../text/en.ts';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** They are shown once: nothing but its button closes it. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog title={text.user.recoveryTitle} isOpen isFirm onClose={onClose}>
      <Band kind="warning" title={text.user.recoveryOnce}>
        <p>{text.user.recoveryWhy}</p>
      </Band>
      <Code title={text.user.recoveryTitle} content={codes.join('\n')} />
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          {text.user.recoveryKept}
        </Button>
      </div>
    </Dialog>
  );
}
