import {
  deleteSecretEndpoint,
  listSecretsEndpoint,
  storeSecretEndpoint,
} from '@waybill/contracts/endpoints/administration/secret-endpoints';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { StoredSecrets } from '../../domain/administration/stored-secrets.ts';
import { callerOf } from './caller-of.ts';

/** The endpoints about secrets, whose values are only written. */
export function createSecretRoutes(secrets: StoredSecrets): Route[] {
  return [
    bindEndpoint(listSecretsEndpoint, async ({ query, ...request }) => {
      const found = await secrets.list(callerOf(request));
      const items = found
        .filter(({ actor }) => query.actor === undefined || actor === query.actor)
        .map(({ name, actor = null, keyId, updatedAt }) => ({
          name,
          actor,
          keyId,
          updatedAt: updatedAt.toISOString(),
        }));
      return { status: 200, body: { items } };
    }),
    bindEndpoint(storeSecretEndpoint, async ({ params: { name }, query: { actor }, body, ...request }) => {
      const { isNew } = await secrets.store({ actor, name }, body.value, callerOf(request));
      return { status: isNew ? 201 : 200 };
    }),
    bindEndpoint(deleteSecretEndpoint, async ({ params: { name }, query: { actor }, ...request }) => {
      await secrets.remove({ actor, name }, callerOf(request));
      return { status: 204 };
    }),
  ];
}
