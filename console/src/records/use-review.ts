import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError } from '../../../src/client/zonewright-client.ts';
import { newIdempotencyKey } from '../../../src/client/idempotency-key.ts';
import { lookAtPropagation } from '../domains/use-propagation.ts';
import { service } from '../service/service-client.ts';
import type { Applied } from './applied-changes.tsx';
import { batchOf, countDraft, type Draft } from './draft.ts';
import { mergeDraft, type MergedDraft } from './merge-draft.ts';
import { noteApplied, reloadRecords, type RecordSet } from './use-records.ts';

interface ReviewOptions {
  readonly domain: string;
  readonly set: RecordSet;
  readonly draft: Draft;
  readonly note: string;
  readonly onDraft: (edit: (draft: Draft) => Draft) => void;
  readonly onApplied: (applied: Applied) => void;
}

/** Checks the draft on the service without changing anything, applies it, and merges it if somebody else was faster. */
export function useReview({ domain, set, draft, note, onDraft, onApplied }: ReviewOptions) {
  const batch = useMemo(() => batchOf(draft), [draft]);
  const { revision } = set;
  // The same changes are sent again with the same key, so that an answer that was lost is not carried out twice.
  const idempotencyKey = useMemo(() => newIdempotencyKey(), [batch, revision, note]);
  const [merge, setMerge] = useState<MergedDraft>();
  const mergeNow = async (): Promise<void> => {
    const fresh = await reloadRecords(domain);
    if (fresh === undefined) return;
    const merged = mergeDraft(draft, new Map(fresh.records.map((record) => [record.id, record])));
    setMerge(merged);
    if (merged.conflicts.length === 0) onDraft(() => merged.draft);
  };
  const check = useQuery({
    queryKey: ['review', domain, revision, batch.changes],
    queryFn: async () => {
      try {
        return await service.records.change(domain, batch.changes, { dryRun: true, ifMatch: revision });
      } catch (error) {
        if (!isOutdated(error)) throw error;
        await mergeNow();
        return null;
      }
    },
    enabled: countDraft(draft).all > 0 && (merge?.conflicts.length ?? 0) === 0,
    staleTime: Infinity,
    gcTime: 0,
  });
  const apply = useMutation({
    mutationFn: () =>
      service.records.change(domain, batch.changes, {
        ifMatch: revision,
        idempotencyKey,
        ...(note.trim() !== '' && { note }),
      }),
    onSuccess: ({ changes, etag }) => {
      noteApplied(domain, changes, etag);
      lookAtPropagation(domain);
      onApplied({ changes });
    },
    onError: async (error) => {
      if (isOutdated(error)) await mergeNow();
    },
  });
  const settle = (settled: Draft): void => {
    setMerge(merge && { ...merge, conflicts: [] });
    onDraft(() => settled);
  };
  return { batch, check, apply, merge, settle };
}

export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
