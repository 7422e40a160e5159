import { Band } from '../parts/band.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Gate } from '../sign-in/gate.tsx';
import { text } from '../text/en.ts';

/** The last page of a window in which a provider has asked who the user is. Loading the session tells the other windows. */
export function ProvenPage() {
  useTitle(text.proof.proven);
  return (
    <Gate>
      <Band title={text.proof.proven}>
        <p>{text.proof.provenWhy}</p>
      </Band>
    </Gate>
  );
}
