// Random tokens of invitations and sessions. The store has only their hashes.
import { hash, randomBytes } from 'node:crypto';

/** Says what a token is for, so that people and scanners of leaked secrets recognise it. */
export const tokenPrefixes = { invitation: 'zwi_', session: 'zws_' } as const;

export type TokenKind = keyof typeof tokenPrefixes;

const TOKEN_BYTES = 32;

const FORM = /^[A-Za-z0-9_-]{43}$/;

export interface OneTimeToken {
  readonly text: string;
  readonly hash: string;
}

export function newOneTimeToken(kind: TokenKind): OneTimeToken {
  const text = tokenPrefixes[kind] + randomBytes(TOKEN_BYTES).toString('base64url');
  return { text, hash: hashToken(text) };
}

/** Returns SHA-256 as 64 lower-case hex digits. 256 random bits need no slow hash. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Whether the text can be such a token; others cost no query to the store. */
export function isWellFormedToken(text: string, kind: TokenKind): boolean {
  const prefix = tokenPrefixes[kind];
  return text.startsWith(prefix) && FORM.test(text.slice(prefix.length));
}
