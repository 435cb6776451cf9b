import {
  type createApiKeyEndpoint,
  listApiKeysEndpoint,
  type revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { decodeCursor, pageOf, rowCursorSchema } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
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
  return async ({ query, principal }) => {
    const { maxItems, cursor: after, user } = query;
    const wanted = { user, after: decodeCursor(rowCursorSchema, after)?.[0], limit: maxItems + 1 };
    const { items, cursor } = pageOf(await apiKeys.list(principal, wanted), maxItems, ({ id }) => [String(id)]);
    return { status: 200, body: { items: [...items], ...nextLink(listApiKeysEndpoint.path, query, cursor) } };
  };
}

/** Revokes an API key. */
export function createRevokeApiKeyHandler({ apiKeys }: ApiKeyParts): EndpointHandler<typeof revokeApiKeyEndpoint> {
  return async ({ principal, params }) => {
    await apiKeys.revoke(principal, params.id);
    return { status: 204 };
  };
}
