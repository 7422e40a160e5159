import type { AccountJson } from '../../../src/contract/account-shape.ts';
import { text } from '../text/en.ts';

/** Tags of an account that is not as accounts usually are. */
export function AccountState({ account: { state, suspension } }: { readonly account: AccountJson }) {
  if (state === 'active') return null;
  return (
    <>
      <span className="tag warning">{text.accounts.states[state]}</span>
      {suspension?.answers === 'stop' && <span className="tag warning">{text.accounts.notServed}</span>}
    </>
  );
}
