import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { KeyRing } from '@waybill/secrets/key-ring';
import { sealSecret, unsealSecret } from '@waybill/secrets/sealed-secret';
import { Secret } from '@waybill/service-kit/config/secret';
import { z } from 'zod';
import type { BrowserLogin } from '../../domain/access/oidc-issuer.ts';
import type { OidcPorts } from '../../domain/access/oidc-logins.ts';

/** How long a user may take at the issuer. */
const lifetimeMs = 600_000;

const loginSchema = z.object({ nonce: z.string(), verifier: z.string(), endsAt: z.number() });

/**
 * Logins that have begun, encrypted for the cookie of their browser: any manager with the same keys can end them, and nothing is
 * stored here. The state of the login is authenticated with it.
 */
export function createSealedLoginCookies(ring: () => KeyRing): OidcPorts['cookies'] {
  return {
    seal: ({ state, nonce, verifier }) => {
      const text = JSON.stringify({ nonce, verifier, endsAt: Date.now() + lifetimeMs });
      const { keyId, ciphertext } = sealSecret(ring(), identityOf(state), new Secret(text));
      return `${ciphertext.toString('base64url')}.${keyId}`;
    },
    open: (cookie, state) => {
      const [encoded = '', ...rest] = cookie.split('.');
      const login = unsealed(ring(), state, { keyId: rest.join('.'), ciphertext: Buffer.from(encoded, 'base64url') });
      return login !== undefined && login.endsAt > Date.now() ? { ...login, state } : undefined;
    },
  };
}

function unsealed(ring: KeyRing, state: string, sealed: Parameters<typeof unsealSecret>[2]) {
  try {
    return loginSchema.parse(JSON.parse(unsealSecret(ring, identityOf(state), sealed).reveal()));
  } catch (error) {
    if (isCodedError(error, 'secret_unreadable')) return undefined;
    throw error;
  }
}

/** No actor has such a name: a cookie is never taken for another secret. */
function identityOf(state: BrowserLogin['state']) {
  return { owner: '/logins/', name: state };
}
