import { useMutation, useQuery } from '@tanstack/react-query';
import { lookAtPropagation } from '../domains/use-propagation.ts';
import { planWrite } from '../records/plan-write.ts';
import { noteApplied } from '../records/use-records.ts';
import { isOutdated } from '../records/use-review.ts';
import { service } from '../service/service-client.ts';
import { checkSession } from '../service/session.ts';
import { reloadHistory } from './use-history.ts';

/** Asks the service what returning to a serial would change, and does it. */
export function useRevert(domain: string, serial: number, note: string) {
  const plan = useQuery({
    queryKey: ['revert', domain, serial],
    queryFn: () =>
      planWrite(domain, (ifMatch) => service.domains.revert(domain, serial, { dryRun: true, ifMatch })),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const revision = plan.data?.revision;
  const revert = useMutation({
    mutationFn: async () => {
      await checkSession();
      return service.domains.revert(domain, serial, {
        ifMatch: revision,
        ...(note.trim() !== '' && { note: note.trim() }),
      });
    },
    onSuccess: (written) => {
      noteApplied(domain, revision ?? '', written);
      lookAtPropagation(domain);
      reloadHistory(domain);
    },
    onError: (error) => {
      // Somebody else was faster: the difference is another one now.
      if (isOutdated(error)) void plan.refetch();
    },
  });
  return { plan, revert };
}
