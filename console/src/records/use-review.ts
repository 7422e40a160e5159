import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiError } from '../../../src/client/zonewright-client.ts';
import { service } from '../service/service-client.ts';
import { batchOf, countDraft, type Draft } from './draft.ts';
import type { RecordSet } from './record-set.ts';
import { updateRecords } from './use-records.ts';

/**
 * Before each repeat of a check, because somebody else has changed the domain between reading and checking it. Once is usual where two
 * people work, three times in a row is a program: then people decide when to look again.
 */
const repeatWaitsMs: readonly number[] = [0, 500, 2_000];

/** Checks the draft on the service without changing anything. @param draft without conflicts */
export function useReview(domain: string, set: RecordSet, draft: Draft) {
  const batch = useMemo(() => batchOf(draft), [draft]);
  const { revision } = set;
  const repeats = useRef(0);
  const check = useQuery({
    queryKey: ['review', domain, revision, batch.changes],
    queryFn: async () => {
      try {
        const ifMatch = revision;
        const plan = await service.records.change(domain, batch.changes, { dryRun: true, ifMatch });
        repeats.current = 0;
        return plan;
      } catch (error) {
        const waitMs = isOutdated(error) ? repeatWaitsMs[repeats.current++] : undefined;
        if (waitMs === undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        // The new revision is checked by itself.
        await updateRecords(domain);
        throw error;
      }
    },
    enabled: countDraft(draft).all > 0 && draft.sent === undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const checkAgain = async (): Promise<void> => {
    repeats.current = 0;
    if (isOutdated(check.error)) await updateRecords(domain).catch(() => undefined);
    await check.refetch();
  };
  return { batch, check, checkAgain };
}

export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
