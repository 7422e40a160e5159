import { useMutation } from '@tanstack/react-query';
import { reloadSigning } from '../dnssec/use-signing.ts';
import { reloadHistory } from '../history/use-history.ts';
import { planWrite } from '../records/plan-write.ts';
import { noteApplied } from '../records/use-records.ts';
import { isOutdated } from '../records/use-review.ts';
import type { WriteOptions } from '../../../src/client/write-options.ts';
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
      return sendImport(domain, source, options);
    },
    onSuccess: (written) => {
      noteApplied(domain, plan.data?.revision ?? '', written);
      void reloadSigning(domain);
      reloadHistory(domain);
    },
    onError: (error, { source }) => {
      // Somebody else was faster: the difference is another one now.
      if (isOutdated(error)) plan.mutate(source);
    },
  });
  return { plan, run };
}

function planImport(domain: string, source: ImportSource, ifMatch: string | undefined) {
  return sendImport(domain, source, { dryRun: true, ifMatch } as const);
}

function sendImport<O extends WriteOptions>(domain: string, { text, way }: ImportSource, options: O) {
  return way === 'add'
    ? service.zoneFiles.merge(domain, text, options)
    : service.zoneFiles.replace(domain, text, {
        ...options,
        ...(way === 'presigned' && { presigned: true }),
      });
}
