import { refused, success, type Result } from '../model/result.ts';
import { MAX_PASSKEY_NAME_CHARACTERS } from '../model/user-factors.ts';
import { findHalfCharacter } from '../model/storable-text.ts';

/** By which a person recognises a passkey. */
export function parsePasskeyName(text: string): Result<string> {
  const name = text.trim();
  const isFine = name !== '' && name.length <= MAX_PASSKEY_NAME_CHARACTERS && !/\p{Cc}/u.test(name);
  if (isFine && findHalfCharacter(name) === undefined) return success(name);
  const rule = `name must be 1 to ${MAX_PASSKEY_NAME_CHARACTERS} printable characters`;
  return refused('invalid_request', rule, 'name');
}
