import { useQuery } from '@tanstack/react-query';
import { Band, ErrorBand } from '../parts/band.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { hasCode } from '../service/describe-error.ts';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import type { KeyBody } from './key-draft.ts';

/** A dry run for each key that is pressed would be too much. */
const SETTLE_MS = 400;

/** The rights of the key as one sentence of the service, or what is wrong with them. @param body undefined: not complete yet */
export function KeySummary({ body }: { readonly body: KeyBody | undefined }) {
  const asked = useSettled(body === undefined ? '' : JSON.stringify(body), SETTLE_MS);
  const plan = useQuery({
    queryKey: ['key plan', asked],
    queryFn: () => service.keys.create(JSON.parse(asked) as KeyBody, { dryRun: true }),
    enabled: body !== undefined && asked !== '',
    gcTime: 0,
  });
  if (body === undefined) return <Band title={text.newKey.incomplete} />;
  if (hasCode(plan.error, 'confirmation_required'))
    return (
      <Band title={text.newKey.summary}>
        <p>{text.newKey.askedLater}</p>
      </Band>
    );
  if (plan.isError) return <ErrorBand error={plan.error} onRepeat={() => void plan.refetch()} />;
  return (
    <Band title={text.newKey.summary}>
      <p>{plan.data === undefined ? text.newKey.checking : `${plan.data.key.summary}.`}</p>
    </Band>
  );
}
