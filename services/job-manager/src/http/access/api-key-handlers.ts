import type {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { ApiKeys } from '../../domain/access/api-keys.ts';

/** What the handlers need. */
interface ApiKeyParts {
  readonly apiKeys: ApiKeys;
}

/** Creates an API key of the caller. */
export function createCreateApiKeyHandler({ apiKeys }: ApiKeyParts): EndpointHandler<typeof createApiKeyEndpoint> {
  return async ({ principal, body }) => ({ status: 201, body: await apiKeys.create(principal, body) });
}

/** Lists API keys. */
export function createListApiKeysHandler({ apiKeys }: ApiKeyParts): EndpointHandler<typeof listApiKeysEndpoint> {
  return async ({ principal }) => ({ status: 200, body: { items: [...(await apiKeys.list(principal))] } });
}

/** Revokes an API key. */
export function createRevokeApiKeyHandler({ apiKeys }: ApiKeyParts): EndpointHandler<typeof revokeApiKeyEndpoint> {
  return async ({ principal, params }) => {
    await apiKeys.revoke(principal, params.id);
    return { status: 204 };
  };
}
