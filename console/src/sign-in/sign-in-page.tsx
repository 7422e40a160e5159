import { useTitle } from '../parts/use-title.ts';
import { text } from '../text/en.ts';
import { Gate } from './gate.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** @param onDone called once there is a session; absent: the page that was asked for shows by itself */
export function SignInPage({ onDone }: { readonly onDone?: () => void }) {
  useTitle(text.signIn.title);
  return (
    <Gate>
      <h1>{text.signIn.title}</h1>
      <SignInForm {...(onDone && { onDone })} />
    </Gate>
  );
}
