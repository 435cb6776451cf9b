import {
  type ChangePreview,
  changePreviewSchema,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { z } from 'zod';
import { callUntyped } from '../../api/call-untyped.ts';
import type { CursorPage } from '../../lists/use-cursor-rows.ts';

/** What all kinds of objects have; their other settings are shown as they come. */
const objectSchema = z.looseObject({
  name: z.string(),
  actor: z.string().optional(),
  source: z.string().nullable(),
  lastLoginAt: z.string().optional(),
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

/** Reads the objects of an actor, at most a page of them. @throws RequestFailure */
export async function listOfActor<S extends z.ZodType>(
  resource: AdministeredResource,
  schema: S,
  { actor, signal }: { readonly actor: string; readonly signal: AbortSignal },
): Promise<{ readonly objects: readonly z.output<S>[]; readonly hasMore: boolean }> {
  const { rows, next } = await listObjects(resource, { actor }, { cursor: undefined, signal });
  return { objects: z.array(schema).parse(rows), hasMore: next !== undefined };
}

/** Objects of one page. */
export const objectPageSize = 100;

/** Reads a page of objects, by name. @throws RequestFailure */
export async function listObjects(
  resource: AdministeredResource,
  filters: Readonly<Record<string, string | undefined>>,
  page: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<CursorPage<ConfiguredObject>> {
  return listByEndpoint(resourceEndpoints(resource).list, filters, page);
}

/** Reads a page of objects, or of parts of objects, from the endpoint that lists them. @throws RequestFailure */
export async function listByEndpoint(
  endpoint: EndpointContract,
  filters: Readonly<Record<string, string | undefined>>,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<CursorPage<ConfiguredObject>> {
  const query = { ...filters, maxItems: objectPageSize, cursor };
  const { text } = await callUntyped(endpoint, { query, signal });
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
    await callUntyped(resourceEndpoints(resource).find, {
      params: { name },
      query: { actor },
      ...(signal && { signal }),
    }),
  );
}

/** Creates an object. @throws RequestFailure */
export async function createObject(resource: AdministeredResource, body: unknown): Promise<StoredObject> {
  return stored(await callUntyped(resourceEndpoints(resource).create, { body }));
}

/** Replaces a version of an object. @throws RequestFailure `precondition_failed` if there is another version by now */
export async function replaceObject(
  resource: AdministeredResource,
  { name }: ObjectAddress,
  { body, etag }: { readonly body: unknown; readonly etag: string },
): Promise<StoredObject> {
  return stored(
    await callUntyped(resourceEndpoints(resource).replace, { params: { name }, body }, { 'If-Match': etag }),
  );
}

/** Changes settings of a version of an object, or shows what that would do. @throws RequestFailure */
export async function patchObject(
  resource: AdministeredResource,
  { name, actor }: ObjectAddress,
  { patch, etag, isTrial }: { readonly patch: unknown; readonly etag: string; readonly isTrial: boolean },
): Promise<ChangePreview | undefined> {
  const query = { actor, ...(isTrial && { dryRun: 'true' }) };
  const values = { params: { name }, query, body: patch };
  const response = await callUntyped(resourceEndpoints(resource).change, values, { 'If-Match': etag });
  return isTrial ? previewed(response) : undefined;
}

/** Deletes a version of an object. @throws RequestFailure `precondition_failed` if there is another version by now */
export async function removeObject(
  resource: AdministeredResource,
  { name, actor }: ObjectAddress,
  etag: string,
): Promise<void> {
  const { remove } = resourceEndpoints(resource);
  await callUntyped(remove, { params: { name }, query: { actor } }, { 'If-Match': etag });
}

/** What creating an object would do. @throws RequestFailure, as creating it would */
export async function previewCreation(resource: AdministeredResource, body: unknown): Promise<ChangePreview> {
  return previewed(await callUntyped(resourceEndpoints(resource).create, { body, query: { dryRun: 'true' } }));
}

/** What replacing a version of an object would do. @throws RequestFailure, as replacing it would */
export async function previewReplacement(
  resource: AdministeredResource,
  { name }: ObjectAddress,
  { body, etag }: { readonly body: unknown; readonly etag: string },
): Promise<ChangePreview> {
  const values = { params: { name }, body, query: { dryRun: 'true' } };
  return previewed(await callUntyped(resourceEndpoints(resource).replace, values, { 'If-Match': etag }));
}

/** What deleting a version of an object would do. @throws RequestFailure, as deleting it would */
export async function previewRemoval(
  resource: AdministeredResource,
  { name, actor }: ObjectAddress,
  etag: string,
): Promise<ChangePreview> {
  const values = { params: { name }, query: { actor, dryRun: 'true' } };
  return previewed(await callUntyped(resourceEndpoints(resource).remove, values, { 'If-Match': etag }));
}

function previewed({ text }: { readonly text: string }): ChangePreview {
  return changePreviewSchema.parse(JSON.parse(text));
}

function stored({ text, etag }: { readonly text: string; readonly etag: string }): StoredObject {
  return { object: objectSchema.parse(JSON.parse(text)), etag };
}
