import { hash, type KeyObject } from 'node:crypto';
import type { Identity } from './principal.ts';

/** What a signature has proved: the holder of the token is this caller until the token expires. */
export interface VerifiedToken {
  readonly kid: string;
  /** The key that the signature was checked with. */
  readonly key: KeyObject;
  readonly identity: Identity & { readonly expiresAt: number };
}

/** The tokens that were verified last, so that a signature is checked once and not for each request. */
export interface VerifiedTokens {
  find(token: string): VerifiedToken | undefined;
  keep(token: string, verified: VerifiedToken): void;
}

/** Keeps so many tokens: the oldest one is forgotten first. They are kept as digests, so that memory holds no token. */
export function rememberVerifiedTokens(tokensAtMost = 1_000): VerifiedTokens {
  const known = new Map<string, VerifiedToken>();
  return {
    find: (token) => known.get(digestOf(token)),
    keep: (token, verified) => {
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size >= tokensAtMost) known.delete(oldest);
      known.set(digestOf(token), verified);
    },
  };
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
