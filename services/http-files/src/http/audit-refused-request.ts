import type { AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { errorStatus } from '@waybill/http-kit/failures/error-status';
import type { RefusedRequest } from '@waybill/http-kit/routing/refused-request';
import { variablePartOf } from '@waybill/http-kit/routing/refused-request';
import { isAudited } from '@waybill/outbox/refusals/refusal-book';
import type { Refusal } from '@waybill/outbox/refusals/refusal-book';
import { printableText } from '@waybill/service-kit/network/describe-client';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import { z } from 'zod';
import type { AccountHolder, Caller } from '../domain/access/caller.ts';
import type { ServerPlace } from '../domain/access/origin-of.ts';
import { describedPathOf } from './resumable/upload-plan-of.ts';

/** What is audited of a refused request, by the id of its endpoint. */
const facts: Readonly<Record<string, AuditedFact>> = {
  openLoginSession: 'loginTurnedAway',
  uploadFile: 'uploadRefused',
  uploadFileWithMetadata: 'uploadRefused',
  beginResumableUpload: 'uploadRefused',
  continueResumableUpload: 'uploadRefused',
  overrideUploadMethod: 'uploadRefused',
  downloadFile: 'downloadRefused',
  downloadArchive: 'downloadRefused',
  downloadSelection: 'downloadRefused',
  deleteFile: 'fileDeleteRefused',
  deleteFolder: 'folderDeleteRefused',
  createFolder: 'folderCreateRefused',
  listFolder: 'folderListRefused',
  moveElement: 'renameRefused',
  updateMetadata: 'metadataRefused',
  readMetadata: 'metadataReadRefused',
  addOwnSshKey: 'sshKeyChangeRefused',
  deleteOwnSshKey: 'sshKeyChangeRefused',
};

const folderFacts: ReadonlySet<AuditedFact> = new Set([
  'folderDeleteRefused',
  'folderCreateRefused',
  'folderListRefused',
]);

/** What concerns the account or the login of a user, and no file. */
const ofServer: ReadonlySet<AuditedFact> = new Set(['loginTurnedAway', 'sshKeyChangeRefused']);

/** Endpoints whose address names an upload instead of a file. */
const ofUploads = new Set(['continueResumableUpload', 'overrideUploadMethod']);

const moveSchema = z.object({ from: z.string(), to: z.string() });
const loginSchema = z.object({ username: z.string() });

/** Failed logins have their own records, and an interrupted request was not refused. */
const unaudited = new Set(['invalid_credentials', 'request_timeout', 'internal_error', 'content_missing']);

/** What is audited of a refused request; undefined if nothing is. */
export function refusalOfRequest(
  request: RefusedRequest,
  place: { readonly server: ServerPlace; readonly managerName: string },
): Refusal | undefined {
  const { endpoint, error, body } = request;
  const fact = facts[endpoint.id];
  if (fact === undefined || unaudited.has(error.code) || isAudited(error) || errorStatus(error.code) === 503)
    return undefined;
  const { peerName: nodeId, serverName } = place.server;
  const holder = holderOf(request.principal);
  const caller = callerOf(request.principal);
  const move = moveSchema.safeParse(body).data;
  const upload = ofUploads.has(endpoint.id) ? variablePartOf(request) : undefined;
  const path = upload ?? pathOf(move?.from ?? givenPathOf(request));
  const user = holder?.userName ?? printableText(loginSchema.safeParse(body).data?.username ?? '', 255);
  const client = currentClient();
  const reason = error.message;
  const session = holder?.sessionId;
  return {
    subject: session ?? JSON.stringify([user, client.address]),
    fact,
    circumstances: {
      user,
      nodeId,
      managerName: place.managerName,
      ...(ofServer.has(fact)
        ? { entityType: 'HTTP Server', entityName: serverName, entityId: nodeId }
        : { entityType: entityTypeOf(fact, upload), entityName: path, entityId: path }),
      names: { path, newPath: pathOf(move?.to ?? ''), reason },
      context: {
        ...client,
        session,
        virtualFileSystem: upload === undefined ? vfsOf(caller, path) : undefined,
        outcome: error.code,
        reason,
      },
    },
  };
}

function entityTypeOf(fact: AuditedFact, upload: string | undefined): string {
  if (upload !== undefined) return 'Upload';
  return folderFacts.has(fact) ? 'Folder' : 'File';
}

/** A resumable upload has its path in a header. */
function givenPathOf(request: RefusedRequest): string {
  return request.endpoint.id === 'beginResumableUpload' ? describedPathOf(request.headers) : variablePartOf(request);
}

/** A user with a session, whatever the user sees on this server. */
function holderOf(principal: unknown): AccountHolder | undefined {
  return typeof principal === 'object' && principal !== null && 'user' in principal
    ? (principal as AccountHolder)
    : undefined;
}

/** The authenticator of the endpoint decides what its principal is. */
function callerOf(principal: unknown): Caller | undefined {
  return typeof principal === 'object' && principal !== null && 'mounts' in principal
    ? (principal as Caller)
    : undefined;
}

function pathOf(text: string): string {
  const printable = printableText(text, 4_096);
  return printable.startsWith('/') ? printable : `/${printable}`;
}

function vfsOf(caller: Caller | undefined, path: string): string | undefined {
  try {
    return caller?.mounts.locate(parseVirtualPath(path))?.vfs.name;
  } catch {
    // Not a path: that is why it was refused.
    return undefined;
  }
}
