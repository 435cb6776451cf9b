import {
  deleteSecretEndpoint,
  findSecretEndpoint,
  listSecretsEndpoint,
  storeSecretEndpoint,
} from '@waybill/contracts/endpoints/administration/secret-endpoints';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { decodeCursor, pageOf, textMarkSchema } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { Route } from '@waybill/http-kit/routing/route';
import { z } from 'zod';
import type { SecretAddress, SecretFacts, StoredSecrets } from '../../domain/administration/stored-secrets.ts';
import { callerOf } from './caller-of.ts';
import { conditionsOf } from './write-conditions.ts';

/** The owner, which is empty for the platform, and the name of the last secret of the page before. */
const cursorSchema = z.tuple([textMarkSchema, textMarkSchema]);

/** The secret after which a page begins. @throws CodedError `validation_failed` */
export function placeOf(cursor: string | undefined): SecretAddress | undefined {
  if (cursor === undefined) return undefined;
  const [actor, name] = decodeCursor(cursorSchema, cursor);
  return { actor, name };
}

/** The endpoints about secrets, whose values are only written. */
export function createSecretRoutes(secrets: StoredSecrets): Route[] {
  return [
    bindEndpoint(listSecretsEndpoint, async ({ query, ...request }) => {
      const { maxItems, actor } = query;
      const wanted = { actor, after: placeOf(query.cursor), limit: maxItems + 1 };
      const { items, cursor } = pageOf(await secrets.list(wanted, callerOf(request)), maxItems, (secret) => [
        secret.actor ?? '',
        secret.name,
      ]);
      const next = nextLink(listSecretsEndpoint.path, query, cursor);
      return { status: 200, body: { items: items.map(presentSecret), ...next } };
    }),
    bindEndpoint(findSecretEndpoint, async ({ params: { name }, query: { actor }, ...request }) => {
      const secret = await secrets.find({ actor, name }, callerOf(request));
      return { status: 200, body: presentSecret(secret), headers: { ETag: `"${secret.version}"` } };
    }),
    bindEndpoint(storeSecretEndpoint, async ({ params: { name }, query: { actor }, body, headers, ...request }) => {
      const secret = { actor, name, value: body.value, conditions: conditionsOf(headers) };
      const { isNew } = await secrets.store(secret, callerOf(request));
      return { status: isNew ? 201 : 200 };
    }),
    bindEndpoint(deleteSecretEndpoint, async ({ params: { name }, query: { actor, force }, headers, ...request }) => {
      const secret = { actor, name, conditions: conditionsOf(headers), force: force === 'true' };
      await secrets.remove(secret, callerOf(request));
      return { status: 204 };
    }),
  ];
}

function presentSecret({ name, actor, keyId, updatedAt }: SecretFacts) {
  return { name, actor: actor ?? null, keyId, updatedAt: updatedAt.toISOString() };
}
