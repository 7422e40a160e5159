import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { showToast } from '../parts/toasts.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { toAscii, toUnicode } from '../text/name-forms.ts';
import { listDomain, unlistDomain } from './use-domains.ts';

interface DeleteDomainDialogProps {
  /** With A-labels. */
  readonly domain: string;
  readonly onClose: () => void;
}

/** The name has to be typed, in either form. */
export function DeleteDomainDialog({ domain, onClose }: DeleteDomainDialogProps) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const shown = toUnicode(domain);
  const deletion = useMutation({
    mutationFn: () => service.domains.delete(domain),
    onSuccess: () => {
      unlistDomain(domain);
      navigate('/domains');
      onClose();
      showToast(text.deleteDomain.done(shown), {
        label: text.deleteDomain.undo,
        run: () => void restoreDomain(domain),
      });
    },
  });
  const isTyped = toAscii(typed.trim()) === domain;
  return (
    <Dialog title={text.deleteDomain.title(shown)} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !deletion.isPending) deletion.mutate();
        }}
      >
        <p>{text.deleteDomain.why}</p>
        <TextField label={text.deleteDomain.type(shown)} value={typed} onValue={setTyped} className="mono" />
        <ErrorBand error={deletion.error} onRepeat={() => deletion.mutate()} />
        <ShowRequest
          request={{ method: 'DELETE', path: `/domains/${domain}` }}
          command={`zonewright domain delete ${domain}`}
        />
        <div className="actions">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="danger"
            type="submit"
            isBusy={deletion.isPending}
            unable={isTyped ? undefined : text.deleteDomain.type(shown)}
          >
            {text.deleteDomain.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

async function restoreDomain(domain: string): Promise<void> {
  try {
    listDomain((await service.domains.restore(domain)).value);
    showToast(text.deletedDomains.restored(toUnicode(domain)));
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error));
  }
}
