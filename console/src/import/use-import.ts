import { useMutation } from '@tanstack/react-query';
import { lookAtPropagation } from '../domains/use-propagation.ts';
import { reloadHistory } from '../history/use-history.ts';
import { planWrite } from '../records/plan-write.ts';
import { noteApplied } from '../records/use-records.ts';
import { isOutdated } from '../records/use-review.ts';
import { service } from '../service/service-client.ts';
import { checkSession } from '../service/session.ts';
import type { ImportSource } from './import-source.ts';

/** Asks the service what an import would change, and does it. */
export function useImport(domain: string) {
  const plan = useMutation({
    mutationFn: async (source: ImportSource) => {
      const planned = await planWrite(domain, (ifMatch) => planImport(domain, source, ifMatch));
      return { ...planned, source };
    },
  });
  const run = useMutation({
    mutationFn: async ({ source, note }: { readonly source: ImportSource; readonly note: string }) => {
      await checkSession();
      const ifMatch = plan.data?.revision;
      const options = { ifMatch, ...(note !== '' && { note }) };
      return source.replaces
        ? service.zoneFiles.replace(domain, source.text, options)
        : service.zoneFiles.merge(domain, source.text, options);
    },
    onSuccess: (written) => {
      noteApplied(domain, plan.data?.revision ?? '', written);
      lookAtPropagation(domain);
      reloadHistory(domain);
    },
    onError: (error, { source }) => {
      // Somebody else was faster: the difference is another one now.
      if (isOutdated(error)) plan.mutate(source);
    },
  });
  return { plan, run };
}

function planImport(domain: string, { text, replaces }: ImportSource, ifMatch: string | undefined) {
  const options = { dryRun: true, ifMatch } as const;
  return replaces
    ? service.zoneFiles.replace(domain, text, options)
    : service.zoneFiles.merge(domain, text, options);
}
