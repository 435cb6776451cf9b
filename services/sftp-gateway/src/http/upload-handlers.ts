import {
  type deleteUnfinishedUploadEndpoint,
  listUnfinishedUploadsEndpoint,
  type UnfinishedUploadView,
} from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { decodeCursor, pageOf } from '@waybill/http-kit/routing/list-cursor';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import { z } from 'zod';
import { narrowed } from '../domain/sessions/http-sessions.ts';
import type { OwnedUpload, OwnedUploads, UploadEvents } from '../domain/uploads/unfinished-uploads.ts';

const cursorSchema = z.tuple([z.uuid()]);

/** A page of the unfinished uploads that match the query. */
export function createListUnfinishedUploadsHandler(ports: {
  uploads: Pick<OwnedUploads, 'list'>;
}): EndpointHandler<typeof listUnfinishedUploadsEndpoint> {
  return async ({ query, actors }) => {
    const { maxItems, cursor, actor, ...filters } = query;
    const [before] = decodeCursor(cursorSchema, cursor) ?? [];
    const found = await ports.uploads.list({
      ...filters,
      before,
      actors: narrowed(actors, actor),
      limit: maxItems + 1,
    });
    const page = pageOf(found, maxItems, ({ blobId }) => [blobId]);
    const next = nextLink(listUnfinishedUploadsEndpoint.path, query, page.cursor);
    return { status: 200, body: { items: page.items.map(present), ...next } };
  };
}

/** Deletes an unfinished upload. */
export function createDeleteUnfinishedUploadHandler(ports: {
  uploads: Pick<OwnedUploads, 'remove'>;
  events: UploadEvents;
}): EndpointHandler<typeof deleteUnfinishedUploadEndpoint> {
  return async ({ params: { uploadId }, principal: { userName: requestedBy }, actors }) => {
    const removed = await ports.uploads.remove(uploadId, { requestedBy, actors });
    if (removed === undefined) {
      throw new CodedError('upload_unknown', { detail: `There is no unfinished upload '${uploadId}'` });
    }
    ports.events.uploadRemoved(removed, requestedBy);
    return { status: 204 };
  };
}

function present(upload: OwnedUpload): UnfinishedUploadView {
  const { blobId: uploadId, userName, isHeld, startedAt, keptUntil } = upload;
  return {
    uploadId,
    userName,
    actor: upload.actor ?? null,
    protocol: upload.protocol ?? null,
    virtualFileSystem: upload.virtualFileSystem ?? null,
    path: upload.path ?? null,
    bytes: upload.size ?? null,
    length: upload.length ?? null,
    state: isHeld ? 'running' : 'interrupted',
    startedAt: startedAt.toISOString(),
    keptUntil: isHeld ? null : keptUntil.toISOString(),
  };
}
