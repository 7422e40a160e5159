import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { text } from '../text/en.ts';

const words = text.dnssec;

/** The step that somebody waits for, counted from 0; 3: all are done. Other states are no part of this way. */
const currentSteps: Readonly<Partial<Record<SigningStatusJson['state'], number>>> = {
  unsigned: 0,
  signing: 0,
  waiting_for_ds: 1,
  signed: 1,
  secure: 3,
};

/** The way to a domain whose answers are verified. */
export function SigningSteps({ state }: { readonly state: SigningStatusJson['state'] }) {
  const current = currentSteps[state];
  if (current === undefined) return null;
  return (
    <ol className="steps" aria-label={words.way}>
      {words.waySteps.map((step, index) => (
        <li
          key={step}
          className={index < current ? 'done' : index === current ? 'now' : ''}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className="number" aria-hidden="true">
            {index < current ? '' : index + 1}
          </span>
          {step}
          <span className="hidden">{index < current ? words.stepDone : ''}</span>
        </li>
      ))}
    </ol>
  );
}
