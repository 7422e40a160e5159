import type { FactorsJson } from '../../../src/contract/factor-shape.ts';
import { ErrorBand } from '../parts/band.tsx';
import { Placeholder } from '../parts/placeholder.tsx';
import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { CodeSection } from './code-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionSection } from './session-section.tsx';
import { useFactors } from './use-factors.ts';

/** Shows users what belongs to them and to no account, and lets them change it. */
export function AccountPage() {
  useTitle(text.user.title);
  const factors = useFactors();
  return (
    <>
      <div className="head">
        <h1>{text.user.title}</h1>
      </div>
      <div className="page">
        <ProfileSection />
        <ErrorBand error={factors.error} onRepeat={() => void factors.refetch()} />
        {factors.isPending && <Placeholder />}
        {factors.data && <FactorSections factors={factors.data} />}
        <SessionSection />
      </div>
    </>
  );
}

function FactorSections({ factors }: { readonly factors: FactorsJson }) {
  return (
    <>
      <PasswordSection factors={factors} />
      <PasskeySection passkeys={factors.passkeys} />
      <CodeSection factors={factors} />
    </>
  );
}
