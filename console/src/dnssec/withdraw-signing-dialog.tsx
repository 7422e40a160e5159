import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { toUnicode } from '../text/name-forms.ts';
import { useSigningWrite } from './use-signing.ts';

const words = text.dnssec;

interface WithdrawSigningDialogProps {
  readonly domain: string;
  readonly onClose: () => void;
}

/** The end of signing that nobody notices. */
export function WithdrawSigningDialog({ domain, onClose }: WithdrawSigningDialogProps) {
  const withdrawal = useSigningWrite(domain, () => service.domains.setDnssec(domain, 'disabled'), onClose);
  return (
    <Dialog title={words.offTitle(toUnicode(domain))} isOpen onClose={onClose}>
      <p>{words.offWhy}</p>
      <p>{words.offNext}</p>
      <ErrorBand error={withdrawal.error} onRepeat={() => withdrawal.mutate()} />
      <ShowRequest
        request={{ method: 'PATCH', path: `/domains/${domain}`, body: { dns_sec: 'disabled' } }}
        command={`zonewright domain dnssec off ${domain}`}
      />
      <div className="actions">
        <Button onClick={onClose}>{text.cancel}</Button>
        <Button kind="primary" isBusy={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
          {words.off}
        </Button>
      </div>
    </Dialog>
  );
}
