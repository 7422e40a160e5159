import '../style/domain-pages.css';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { DomainHead } from '../domains/domain-head.tsx';
import { Band, LoadErrorBand } from '../parts/band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useMayEdit } from '../service/session.ts';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import { DenialSection } from './denial-section.tsx';
import { KeySection } from './key-section.tsx';
import { ParentSection } from './parent-section.tsx';
import { SigningSteps } from './signing-steps.tsx';
import { SigningSwitch } from './signing-switch.tsx';
import { isPresigned, isSigned, useSigning } from './use-signing.ts';

const words = text.dnssec;

/** How a domain is signed, what its parent zone has, and the next step. @param props.domain with A-labels */
export function DnssecPage({ domain }: { readonly domain: string }) {
  useTitle(`${words.title}: ${toUnicode(domain)}`);
  const signing = useSigning(domain);
  const mayEdit = useMayEdit(domain);
  const status = signing.data;
  return (
    <>
      <DomainHead domain={domain} />
      <div className="bands">
        <LoadErrorBand query={signing} />
        {!mayEdit && <Band title={text.rights.viewer} />}
      </div>
      {status === undefined && !signing.isError && <Placeholder />}
      {status !== undefined && (
        <div className="page">
          <section className="stack">
            <SigningSteps state={status.state} />
            <StateBand status={status} />
            <SigningSwitch
              domain={domain}
              status={status}
              unable={mayEdit ? undefined : text.rights.viewer}
            />
          </section>
          {status.state !== 'unsigned' && (
            <ParentSection
              domain={domain}
              status={status}
              signing={signing}
              mayNot={mayEdit ? undefined : text.rights.viewer}
            />
          )}
          {isSigned(status) && (
            <>
              <KeySection
                domain={domain}
                status={status}
                unable={unableToChange(status, mayEdit)}
                mayNot={mayEdit ? undefined : text.rights.viewer}
              />
              <DenialSection domain={domain} status={status} unable={unableToChange(status, mayEdit)} />
            </>
          )}
        </div>
      )}
    </>
  );
}

function unableToChange(status: SigningStatusJson, mayEdit: boolean): string | undefined {
  if (!mayEdit) return text.rights.viewer;
  return isPresigned(status) ? words.presigned : undefined;
}

const kinds: Readonly<Partial<Record<string, 'warning' | 'error'>>> = {
  bogus: 'error',
  going_insecure: 'warning',
  moving_away: 'warning',
};

/** The state in our words, and the next step in those of the service. */
function StateBand({ status: { state, next_step, progress } }: { readonly status: SigningStatusJson }) {
  const title = state in words.states ? words.states[state] : state;
  return (
    <Band kind={kinds[state] ?? 'info'} title={title}>
      <p>{asSentence(next_step)}</p>
      {progress !== null && (
        <p className="line numbers">
          <progress max={progress.total} value={progress.done} aria-label={words.progress} />
          {words.done(formatNumber(progress.done), formatNumber(progress.total))}
        </p>
      )}
    </Band>
  );
}
