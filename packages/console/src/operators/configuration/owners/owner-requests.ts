import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { ObjectAddress } from '../stored/objects.ts';

/** An object whose owner matters. */
export interface OwnedObject {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
}

/** A version of it, which changes its owner or is changed by force. */
export type OwnedVersion = OwnedObject & { readonly etag: string };

/** A forced change of a version: a merge patch, or the deletion. */
export type ForcedChange = { readonly etag: string } & (
  | { readonly patch: Record<string, unknown> }
  | { readonly delete: true }
);

/** Gives a version of an object to a source, or to the API. @throws RequestFailure `precondition_failed` if there is another version by now */
export async function passObject(
  kind: 'adopt' | 'release',
  { etag, ...object }: OwnedVersion,
  { source, reason }: { readonly source: string; readonly reason: string },
): Promise<void> {
  const endpoint = kind === 'adopt' ? adoptObjectsEndpoint : releaseObjectsEndpoint;
  const body = { source, objects: [{ ...nameOf(object), ifMatch: etag }], ...(reason !== '' && { reason }) };
  await callEndpoint(endpoint, { body });
}

/** Changes an object of a source in an emergency. @throws RequestFailure `precondition_failed` if there is another version by now */
export async function forceObject(
  object: OwnedObject,
  { etag, ...change }: ForcedChange,
  reason: string,
): Promise<void> {
  const body = { object: nameOf(object), reason, ...change };
  await callEndpoint(forceObjectEndpoint, { body, headers: { 'If-Match': etag } });
}

/** What a forced change would do. @throws RequestFailure, as making it would */
export async function previewForce(object: OwnedObject, { etag, ...change }: ForcedChange): Promise<ChangePreview> {
  const body = { object: nameOf(object), reason: 'preview', ...change };
  const preview = await callEndpoint(forceObjectEndpoint, {
    body,
    headers: { 'If-Match': etag },
    query: { dryRun: 'true' },
  });
  return preview ?? { changes: [], consequences: [], uses: [] };
}

function nameOf({ resource: { collection }, address: { name, actor } }: OwnedObject) {
  return { collection, name, ...(actor !== undefined && { actor }) };
}
