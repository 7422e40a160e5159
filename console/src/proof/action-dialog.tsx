import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import type { ShownRequest } from '../service/format-curl.ts';
import { text } from '../text/en.ts';
import { WriteProblem } from './write-problem.tsx';

interface ActionDialogProps<R> {
  readonly title: string;
  /** The words on the button: verb and object. */
  readonly action: string;
  readonly isDanger?: boolean;
  /** Why it cannot be sent yet, such as a name that has not been typed. */
  readonly unable?: string | undefined;
  /** Absent: only a browser can make it. */
  readonly request?: ShownRequest;
  readonly command?: string | undefined;
  readonly run: () => Promise<R>;
  /** The dialog waits for it. */
  readonly onDone: (result: R) => Promise<void> | void;
  readonly onClose: () => void;
  /** Why, and fields. */
  readonly children?: ReactNode;
}

/** One action of the service with what it needs: fields, the question who the user is, errors, and the request that does the same. */
export function ActionDialog<R>(props: ActionDialogProps<R>) {
  const { title, action, isDanger = false, unable, request, command, run, onDone, onClose, children } = props;
  const write = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (unable === undefined && !write.isPending) write.mutate();
        }}
      >
        {children}
        <WriteProblem write={write} />
        {request && <ShowRequest request={request} command={command} />}
        <div className="actions">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            type="submit"
            isBusy={write.isPending}
            unable={unable}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
