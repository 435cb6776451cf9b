import {
  changeSecretEndpoint,
  createSecretEndpoint,
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
import type {
  SecretAddress,
  SecretFacts,
  SecretQuery,
  StoredSecrets,
} from '../../domain/administration/stored-secrets.ts';
import { callerOf } from './caller-of.ts';
import { assertSame } from './patch-object.ts';
import { conditionsOf } from './write-conditions.ts';

/** The owner, which is empty for the platform, and the name of the last secret of the page before. */
const cursorSchema = z.tuple([textMarkSchema, textMarkSchema]);

interface ListedBy {
  readonly actor?: string | undefined;
  readonly name?: string | undefined;
  readonly sort: string;
  readonly cursor?: string | undefined;
  readonly maxItems: number;
}

/** What is listed, with one more than is on the page. @throws CodedError `validation_failed` */
export function secretQueryOf({ actor, name, sort, cursor, maxItems }: ListedBy): SecretQuery {
  const order = { by: sort.endsWith('name') ? 'name' : 'actor', descending: sort.startsWith('-') } as const;
  return { actor, name, order, after: cursor === undefined ? undefined : placeOf(cursor), limit: maxItems + 1 };
}

/** The secret after which a page begins. */
function placeOf(cursor: string): SecretAddress {
  const [actor, name] = decodeCursor(cursorSchema, cursor);
  return { actor, name };
}

/** The endpoints about secrets, whose values are only written. */
export function createSecretRoutes(secrets: StoredSecrets): Route[] {
  return [...readingRoutes(secrets), ...writingRoutes(secrets), removingRoute(secrets)];
}

function readingRoutes(secrets: StoredSecrets): Route[] {
  return [
    bindEndpoint(listSecretsEndpoint, async ({ query, ...request }) => {
      const found = await secrets.list(secretQueryOf(query), callerOf(request));
      const { items, cursor } = pageOf(found, query.maxItems, ({ actor = '', name }) => [actor, name]);
      const next = nextLink(listSecretsEndpoint.path, query, cursor);
      return { status: 200, body: { items: items.map(presentSecret), ...next } };
    }),
    bindEndpoint(findSecretEndpoint, async ({ params: { name }, query: { actor }, ...request }) => ({
      status: 200,
      ...presented(await secrets.find({ actor, name }, callerOf(request))),
    })),
  ];
}

function writingRoutes(secrets: StoredSecrets): Route[] {
  return [
    bindEndpoint(createSecretEndpoint, async ({ query: { dryRun }, body: { name, actor, value }, ...request }) => {
      const write = { actor: actor ?? undefined, name, value, conditions: { ifAbsent: true } };
      const by = callerOf(request);
      if (dryRun === 'true') return { status: 200, body: await secrets.previewStore(write, by) };
      const { secret } = await secrets.store(write, by);
      const { body, headers } = presented(secret);
      const query = secret.actor === undefined ? '' : `?actor=${encodeURIComponent(secret.actor)}`;
      return { status: 201, body, headers: { ...headers, Location: `${createSecretEndpoint.path}/${name}${query}` } };
    }),
    bindEndpoint(storeSecretEndpoint, async ({ params, query: { actor, dryRun }, body, headers, ...request }) => {
      assertNamed({ ...params, actor }, body);
      const write = { ...params, actor, value: body.value, conditions: conditionsOf(headers) };
      const by = callerOf(request);
      if (dryRun === 'true') return { status: 200, body: await secrets.previewStore(write, by) };
      const { isNew, secret } = await secrets.store(write, by);
      return isNew ? { status: 201, ...presented(secret) } : { status: 200, ...presented(secret) };
    }),
    bindEndpoint(changeSecretEndpoint, async ({ params, query: { actor, dryRun }, body, headers, ...request }) => {
      assertNamed({ ...params, actor }, body);
      const by = callerOf(request);
      // What is not reached is unknown, and no reason to tell that there is something.
      await secrets.find({ ...params, actor }, by);
      const write = { ...params, actor, value: body.value, conditions: { ...conditionsOf(headers), ifPresent: true } };
      if (dryRun === 'true') return { status: 200, body: await secrets.previewStore(write, by) };
      return { status: 200, ...presented((await secrets.store(write, by)).secret) };
    }),
  ];
}

function removingRoute(secrets: StoredSecrets): Route {
  return bindEndpoint(deleteSecretEndpoint, async ({ params, query, headers, ...request }) => {
    const { actor, force, dryRun } = query;
    const removal = { ...params, actor, conditions: conditionsOf(headers), force: force === 'true' };
    const by = callerOf(request);
    if (dryRun === 'true') return { status: 200, body: await secrets.previewRemoval(removal, by) };
    await secrets.remove(removal, by);
    return { status: 204 };
  });
}

/** @throws CodedError `validation_failed` if the body names another secret than the address */
function assertNamed(
  address: SecretAddress,
  body: { readonly name?: string | undefined; readonly actor?: string | null | undefined },
): void {
  assertSame('name', { inBody: body.name ?? address.name, inAddress: address.name });
  const owner = address.actor ?? '';
  assertSame('actor', { inBody: body.actor === undefined ? owner : (body.actor ?? ''), inAddress: owner });
}

function presentSecret({ name, actor, keyId, updatedAt }: SecretFacts) {
  return { name, actor: actor ?? null, keyId, updatedAt: updatedAt.toISOString() };
}

function presented(secret: SecretFacts) {
  return { body: presentSecret(secret), headers: { ETag: `"${secret.version}"` } };
}
