import type { UseMutationResult } from '@tanstack/react-query';
import { Band, ErrorBand } from '../parts/band.tsx';
import { hasCode } from '../service/describe-error.ts';
import { isCancelled } from '../sign-in/passkeys.ts';
import { text } from '../text/en.ts';
import { ProofDialog } from './proof-dialog.tsx';

interface WriteProblemProps<V> {
  readonly write: Pick<UseMutationResult<unknown, Error, V>, 'error' | 'mutate' | 'reset' | 'variables'>;
}

/**
 * Stands for the failure of a write: the question who the user is, after which the same is sent again, or the error in words. Stands
 * inside the dialog of the write, because its own dialog goes on top of that.
 */
export function WriteProblem<V>({ write }: WriteProblemProps<V>) {
  const { error } = write;
  const repeat = (): void => write.mutate(write.variables as V);
  if (hasCode(error, 'confirmation_required')) return <ProofDialog onProven={repeat} onClose={write.reset} />;
  if (isCancelled(error)) return <Band title={text.proof.cancelled} />;
  return <ErrorBand error={error} onRepeat={repeat} />;
}
