import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { z } from 'zod';
import { withToken } from '../../api/call-endpoint.ts';
import type { LooseRequest } from '../../api/endpoint-types.ts';
import { failureOf } from '../../api/request-failure.ts';
import { fetchEndpoint } from '../../api/send-endpoint.ts';
import type { CursorPage } from '../../lists/use-cursor-rows.ts';

/** What all kinds of objects have; their other settings are shown as they come. */
const objectSchema = z.looseObject({
  name: z.string(),
  actor: z.string().optional(),
  source: z.string().nullable(),
});

/** An object of the configuration. */
export type ConfiguredObject = z.infer<typeof objectSchema>;

/** A version of an object. */
export interface StoredObject {
  readonly object: ConfiguredObject;
  /** Of this version, for `If-Match`. */
  readonly etag: string;
}

/** What names an object. */
export interface ObjectAddress {
  readonly name: string;
  readonly actor?: string | undefined;
}

const listSchema = z.object({ items: z.array(objectSchema), next: z.string().optional() });

/** Objects of one page. */
export const objectPageSize = 100;

/** Reads a page of objects, by name. @throws RequestFailure */
export async function listObjects(
  resource: AdministeredResource,
  filters: Readonly<Record<string, string | undefined>>,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<CursorPage<ConfiguredObject>> {
  const query = { ...filters, maxItems: objectPageSize, cursor };
  const { text } = await request(resourceEndpoints(resource).list, { query, signal });
  const { items, next } = listSchema.parse(JSON.parse(text));
  return { rows: items, next: next && (new URL(next, location.origin).searchParams.get('cursor') ?? undefined) };
}

/** Reads an object. @throws RequestFailure */
export async function findObject(
  resource: AdministeredResource,
  { name, actor }: ObjectAddress,
  signal?: AbortSignal,
): Promise<StoredObject> {
  return stored(
    await request(resourceEndpoints(resource).find, {
      params: { name },
      query: { actor },
      ...(signal && { signal }),
    }),
  );
}

/** Creates an object. @throws RequestFailure */
export async function createObject(resource: AdministeredResource, body: unknown): Promise<StoredObject> {
  return stored(await request(resourceEndpoints(resource).create, { body }));
}

/** Replaces a version of an object. @throws RequestFailure `precondition_failed` if there is another version by now */
export async function replaceObject(
  resource: AdministeredResource,
  { name }: ObjectAddress,
  { body, etag }: { readonly body: unknown; readonly etag: string },
): Promise<StoredObject> {
  return stored(await request(resourceEndpoints(resource).replace, { params: { name }, body }, { 'If-Match': etag }));
}

/** Deletes a version of an object. @throws RequestFailure `precondition_failed` if there is another version by now */
export async function removeObject(
  resource: AdministeredResource,
  { name, actor }: ObjectAddress,
  etag: string,
): Promise<void> {
  const { remove } = resourceEndpoints(resource);
  await request(remove, { params: { name }, query: { actor } }, { 'If-Match': etag });
}

function stored({ text, etag }: { readonly text: string; readonly etag: string }): StoredObject {
  return { object: objectSchema.parse(JSON.parse(text)), etag };
}

/** The settings of objects are of many kinds: they are taken as they come, and checked by the server. */
function request(endpoint: EndpointContract, values: LooseRequest, headers: Readonly<Record<string, string>> = {}) {
  return withToken(async (token) => {
    const response = await fetchEndpoint(endpoint, values, token, headers);
    const text = await response.text();
    if (!response.ok) throw failureOf(response.status, text);
    return { text, etag: response.headers.get('etag') ?? '' };
  });
}
