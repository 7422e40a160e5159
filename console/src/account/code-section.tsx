import { useState } from 'react';
import type { FactorsJson } from '../../../src/contract/factor-shape.ts';
import { Button } from '../parts/button.tsx';
import { Section } from '../parts/section.tsx';
import { showToast } from '../parts/toasts.tsx';
import { ActionDialog } from '../proof/action-dialog.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { formatDate } from '../text/format-values.ts';
import { CodeSetupDialog } from './code-setup-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { reloadFactors } from './use-factors.ts';

/** One-time codes, and the recovery codes for users who have lost the device that makes them. */
export function CodeSection({ factors }: { readonly factors: FactorsJson }) {
  const { one_time_code: codes, recovery_codes: left } = factors;
  const [shown, setShown] = useState<'setup' | 'remove' | 'replace'>();
  const [fresh, setFresh] = useState<readonly string[]>();
  const close = (): void => setShown(undefined);
  const show = (recoveryCodes: readonly string[]): void => {
    close();
    setFresh(recoveryCodes);
  };
  return (
    <Section
      title={text.user.codes}
      why={codes === null ? text.user.codesNone : text.user.codesSet(formatDate(codes.date_created))}
      actions={
        <>
          {codes !== null && <Button onClick={() => setShown('remove')}>{text.user.removeCodes}</Button>}
          <Button
            unable={factors.password ? undefined : text.user.codesNeedPassword}
            onClick={() => setShown('setup')}
          >
            {codes === null ? text.user.setUpCodes : text.user.renewCodes}
          </Button>
        </>
      }
    >
      {codes !== null && (
        <div className="line">
          <span className={left <= FEW_CODES ? 'tag warning' : 'tag'}>{text.user.recoveryLeft(left)}</span>
          <Button kind="quiet" onClick={() => setShown('replace')}>
            {text.user.replaceRecovery}
          </Button>
        </div>
      )}
      {shown === 'setup' && <CodeSetupDialog onCodes={show} onClose={close} />}
      {shown === 'remove' && <RemoveCodesDialog onClose={close} />}
      {shown === 'replace' && <ReplaceCodesDialog onCodes={show} onClose={close} />}
      {fresh && <RecoveryCodesDialog codes={fresh} onClose={() => setFresh(undefined)} />}
    </Section>
  );
}

/** Time for new ones, while there are still some. */
const FEW_CODES = 3;

function RemoveCodesDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ActionDialog
      title={text.user.removeCodes}
      action={text.user.removeCodes}
      isDanger
      request={{ method: 'DELETE', path: '/user/one_time_code', by: 'user' }}
      run={() => service.factors.removeOneTimeCodes()}
      onDone={async () => {
        await reloadFactors();
        showToast(text.user.codesRemoved);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text.user.removeCodesWhy}</p>
    </ActionDialog>
  );
}

interface ReplaceCodesDialogProps {
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function ReplaceCodesDialog({ onCodes, onClose }: ReplaceCodesDialogProps) {
  return (
    <ActionDialog
      title={text.user.replaceRecovery}
      action={text.user.replaceRecovery}
      request={{ method: 'POST', path: '/user/recovery_codes', by: 'user' }}
      run={() => service.factors.replaceRecoveryCodes()}
      onDone={async (codes) => {
        await reloadFactors();
        onCodes(codes);
      }}
      onClose={onClose}
    >
      <p>{text.user.replaceRecoveryWhy}</p>
    </ActionDialog>
  );
}
