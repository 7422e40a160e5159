import { useMutation } from '@tanstack/react-query';
import { newIdempotencyKey } from '../../../src/client/idempotency-key.ts';
import { lookAtPropagation } from '../domains/use-propagation.ts';
import { showToast } from '../parts/toasts.tsx';
import { service } from '../service/service-client.ts';
import { checkSession } from '../service/session.ts';
import { createValueStore, useStored } from '../service/value-store.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import type { Applied } from './applied-changes.tsx';
import { countDraft, type Draft, type SentChanges } from './draft.ts';
import { hasChangedNothing, newSentChanges, settleSent, withoutSent } from './sent-changes.ts';
import { isOutdated } from './use-review.ts';
import type { MergedDraftEditor } from './use-merged-draft.ts';
import { noteApplied, updateRecords } from './use-records.ts';

interface ApplyOptions {
  readonly domain: string;
  readonly change: MergedDraftEditor['change'];
  readonly changeKept: MergedDraftEditor['changeKept'];
  /** Whether the page is there to say so. */
  readonly onApplied: (applied: Applied) => boolean;
}

/** The key of the request that this window is sending, also while its page is out of sight. */
const sending = createValueStore<string | undefined>(undefined);

export function useIsSending(sent: SentChanges | undefined): boolean {
  return useStored(sending) === sent?.idempotencyKey && sent !== undefined;
}

interface Sending {
  readonly sent: SentChanges;
  /** It was sent before, and the answer is not known. */
  readonly isRepeat: boolean;
}

/** Applies staged changes as one. The request is kept before it is sent: whatever happens to the page, it can be sent again. */
export function useApply({ domain, change, changeKept, onApplied }: ApplyOptions) {
  const mutation = useMutation({
    mutationFn: async ({ sent }: Sending) => {
      await checkSession();
      await change((draft) => ({ ...draft, sent }));
      sending.set(sent.idempotencyKey);
      const { batch, revision, idempotencyKey, note } = sent;
      return service.records.change(domain, batch.changes, {
        ifMatch: revision,
        idempotencyKey,
        ...(note !== '' && { note }),
      });
    },
    onSuccess: async (written, { sent }) => {
      const { changes, serial } = written;
      const settled = changeKept((draft) => settleSent(draft, sent, changes));
      noteApplied(domain, sent.revision, written);
      lookAtPropagation(domain);
      if (!onApplied({ changes, serial })) sayApplied(countDraft(sent.staged).all);
      await settled;
    },
    onError: async (error, { sent, isRepeat }) => {
      if (!hasChangedNothing(error, isRepeat)) return;
      await changeKept((draft) => (isSame(draft.sent, sent) ? withoutSent(draft) : draft));
      if (isOutdated(error)) await updateRecords(domain).catch(() => undefined);
    },
    onSettled: () => sending.set(undefined),
  });
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    /** @param draft without conflicts */
    apply: (draft: Draft, revision: string, note: string): void => {
      const sent = newSentChanges(draft, { idempotencyKey: newIdempotencyKey(), revision, note });
      mutation.mutate({ sent, isRepeat: false });
    },
    repeat: (sent: SentChanges): void => mutation.mutate({ sent, isRepeat: true }),
    /** Compares what was staged with what is there instead of sending it again. */
    giveUp: async (): Promise<void> => {
      await updateRecords(domain);
      await changeKept(withoutSent);
      mutation.reset();
    },
  };
}

export type Apply = ReturnType<typeof useApply>;

function isSame(one: SentChanges | undefined, other: SentChanges): boolean {
  return one?.idempotencyKey === other.idempotencyKey;
}

function sayApplied(count: number): void {
  showToast(count === 1 ? text.review.appliedOne : text.review.applied(formatNumber(count)));
}
