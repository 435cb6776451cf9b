import { apiKeyHash, isApiKey } from '@waybill/access/api-key';
import type { ApiKeyOutcome } from '@waybill/access/api-key';
import type { Identity, Principal } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { createShortLivedCache } from '../short-lived-cache.ts';
import { type ApiKey, findApiKey, noteApiKeyUse } from './find-api-key.ts';
import { findRights, type Rights } from './find-rights.ts';

/** Identifies the callers of management interfaces, and tells what they may do now. */
export interface Authority {
  /**
   * The caller with an access token or an API key, who calls from an address; looked up for a request, or again while a response is
   * sent.
   * @throws CodedError `not_authenticated`, also for a user who was removed or disabled, or a login that has ended, since the token was issued
   */
  verify(token: string, address: string, occasion?: 'request' | 'response'): Promise<Principal>;
}

/** What an authority needs. */
export interface AuthorityOptions {
  readonly db: Queryable;
  /** Reads access tokens. */
  readonly tokens: { verify(token: string): Promise<Identity> };
  /** Called for each request with an API key. */
  readonly onApiKey?: (outcome: ApiKeyOutcome) => void;
  /** How old the rights of a user may be; one second by default, as the operators' documentation promises. */
  readonly cacheMs?: number;
}

/** How often the use of a key is remembered. */
const useIntervalMs = 60_000;

/** Takes the rights of callers from the configuration, not from their tokens, so that changes of roles take effect at once. */
export function openAuthority(options: AuthorityOptions): Authority {
  const { db, tokens, cacheMs: maxAgeMs = 1_000 } = options;
  const rights = createShortLivedCache<Rights | undefined>({ maxAgeMs });
  const verifyKey = createKeyVerifier(options);
  return {
    verify: async (token, address, occasion) => {
      if (isApiKey(token)) return await verifyKey(token, address, occasion);
      const identity = await tokens.verify(token);
      const key = JSON.stringify([identity.userName, identity.sessionId]);
      const found = await rights.get(key, () => findRights(db, identity));
      if (!found) throw new CodedError('not_authenticated', { detail: 'The login of the token has ended' });
      return { ...identity, ...found };
    },
  };
}

/** Reads API keys. Each refusal is answered alike, so that nothing is learnt about a key. */
function createKeyVerifier({ db, onApiKey, cacheMs: maxAgeMs = 1_000 }: AuthorityOptions): Authority['verify'] {
  const keys = createShortLivedCache<ApiKey | undefined>({ maxAgeMs });
  const uses = createShortLivedCache<void>({ maxAgeMs: useIntervalMs });
  return async (text, address, occasion = 'request') => {
    const count = (outcome: ApiKeyOutcome): void => {
      if (occasion === 'request') onApiKey?.(outcome);
    };
    const refuse = (outcome: ApiKeyOutcome): never => {
      count(outcome);
      throw new CodedError('not_authenticated');
    };
    const hash = apiKeyHash(text) ?? refuse('malformed');
    const key = (await keys.get(hash.toString('base64'), () => findApiKey(db, hash))) ?? refuse('unknown');
    const { id, owner: userName, roles, grants, expiresAt } = key;
    if (expiresAt <= Date.now()) return refuse('expired');
    if (!key.isAllowedFrom(address)) return refuse('network');
    await uses.get(id, () => noteApiKeyUse(db, id, address));
    count('accepted');
    return { userName, roles, grants, expiresAt, apiKeyId: id };
  };
}
