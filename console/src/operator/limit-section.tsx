import { useState } from 'react';
import type { AccountJson } from '../../../src/contract/account-shape.ts';
import type { LimitsJson } from '../../../src/contract/response-shapes.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { Section } from '../parts/section.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { text } from '../text/en.ts';
import { formatNumber, formatOctets } from '../text/format-values.ts';
import { isOctets, limitNames, type LimitName } from './limit-draft.ts';
import { LimitsDialog } from './limits-dialog.tsx';
import { useLimits } from './use-accounts.ts';

/** Shows each limit of the account with its use. */
export function LimitSection({ account }: { readonly account: AccountJson }) {
  const limits = useLimits(account.id);
  const [isChanging, setChanging] = useState(false);
  const { data } = limits;
  return (
    <Section
      title={text.accounts.limitsTitle}
      actions={
        <Button
          unable={data === undefined ? text.accounts.notKnownYet : undefined}
          onClick={() => setChanging(true)}
        >
          {text.accounts.changeLimits}
        </Button>
      }
    >
      <ErrorBand error={limits.error} onRepeat={() => void limits.refetch()} />
      {limits.isLoading && <Placeholder />}
      {data && (
        <ul className="rows uses" aria-label={text.accounts.limitsTitle}>
          {limitNames.map((name) => (
            <li key={name}>
              <LimitRow name={name} limit={data[name]} />
            </li>
          ))}
        </ul>
      )}
      <ShowRequest
        request={{ method: 'GET', path: `/accounts/${account.id}/limits` }}
        command={`zonewright account limits ${account.id}`}
      />
      {isChanging && data && (
        <LimitsDialog account={account} limits={data} onClose={() => setChanging(false)} />
      )}
    </Section>
  );
}

interface LimitRowProps {
  readonly name: LimitName;
  readonly limit: LimitsJson[LimitName];
}

function LimitRow({ name, limit: { limit, use } }: LimitRowProps) {
  const { label, hint } = text.accounts.limits[name];
  const show = isOctets(name) ? formatOctets : formatNumber;
  return (
    <>
      <div className="name">
        <strong>{label}</strong>
        <span className="muted small">{hint}</span>
      </div>
      {use !== null && use >= limit && <span className="tag warning">{text.accounts.full}</span>}
      <span className="numbers use">
        {use === null ? text.accounts.most(show(limit)) : text.accounts.useOf(show(use), show(limit))}
      </span>
    </>
  );
}
