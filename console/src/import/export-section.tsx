import { useMutation } from '@tanstack/react-query';
import { saveText } from '../parts/save-text.ts';
import { useDomain } from '../domains/use-propagation.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';

const words = text.import;

/** The domain as a zone file: its records, or all that is served. */
export function ExportSection({ domain }: { readonly domain: string }) {
  const { data } = useDomain(domain);
  const saving = useMutation({
    mutationFn: async (dnssec: boolean) => {
      const file = await service.zoneFiles.get(domain, { dnssec });
      saveText(file.text, 'text/dns', dnssec ? `${domain}.signed.zone` : `${domain}.zone`);
    },
  });
  return (
    <section className="stack">
      <h2>{words.export}</h2>
      <ErrorBand error={saving.error} onRepeat={() => saving.mutate(saving.variables ?? false)} />
      <div className="line">
        <Button isBusy={saving.isPending} onClick={() => saving.mutate(false)}>
          {words.save}
        </Button>
        {data?.dns_sec === 'enabled' && (
          <Button isBusy={saving.isPending} onClick={() => saving.mutate(true)}>
            {words.saveSigned}
          </Button>
        )}
      </div>
      <ShowRequest
        request={{ method: 'GET', path: `/domains/${domain}/zonefile` }}
        command={`zonewright zonefile export ${domain} --to ${domain}.zone`}
      />
    </section>
  );
}
