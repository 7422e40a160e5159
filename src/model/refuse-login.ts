// Refusals of log-ins, which several parts share. None tells whether a user exists.
import { refused, type Refused } from './result.ts';

export function refuseLogin(): Refused {
  return refused('invalid_login', 'The e-mail address or the password is wrong');
}

/** Said only after the password was right. */
export function refuseWithoutCode(): Refused {
  return refused(
    'second_factor_required',
    'Send a one-time code or a recovery code with the password',
    'code',
  );
}

/** Said only after the password was right. */
export function refuseCode(): Refused {
  return refused('invalid_login', 'The code is wrong, or was used already', 'code');
}

export function refusePasskey(): Refused {
  return refused('invalid_login', 'The passkey was not accepted');
}

export function refuseDelayed(waitMs: number): Refused {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = `Too many failed log-ins; try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  return { ok: false, refusal: { code: 'login_delayed', message, retryAfterSeconds } };
}
