// The identity of a user at an OpenID Connect provider. A plain row; `writes` decides about it.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** A person as a provider knows it. An e-mail address there proves nothing here: it may change hands. */
export interface ProvenIdentity {
  /** The URL of the provider. */
  readonly issuer: string;
  /** The provider's id of the person, which it never gives to another one (OpenID Connect Core section 2). */
  readonly subject: string;
}

/** An identity that signs a user in. A user has at most one of each issuer, and an identity has one user. */
export interface Identity extends ProvenIdentity {
  readonly userId: string;
  readonly createdAtSeconds: number;
}

/** OpenID Connect Core section 2, which also limits subjects to ASCII. */
const MAX_SUBJECT_CHARACTERS = 255;

export function parseSubject(text: string): Parsed<string> {
  if (text !== '' && text.length <= MAX_SUBJECT_CHARACTERS && /^[\x20-\x7e]+$/.test(text))
    return parsed(text);
  return malformed(`the subject is not 1 to ${MAX_SUBJECT_CHARACTERS} printable characters of ASCII`);
}

export function isSameIdentity(one: ProvenIdentity, other: ProvenIdentity): boolean {
  return one.subject === other.subject && one.issuer === other.issuer;
}
