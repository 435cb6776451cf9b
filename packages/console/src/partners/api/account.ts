import type { OwnSshKeys } from '@waybill/contracts/endpoints/files/account/list-own-ssh-keys';
import type { listOwnTransfersEndpoint } from '@waybill/contracts/endpoints/files/account/list-own-transfers';
import type { listOwnSessionsEndpoint } from '@waybill/contracts/endpoints/files/account/own-session-endpoints';
import type { z } from 'zod';
import { requestFiles } from './request-files.ts';
import { sendRequest } from './send-request.ts';

const headers = { 'Content-Type': 'application/json' };

/** Changes a password. All sessions of the user end. @throws RequestFailure; a refused password names every reason */
export async function changePassword(change: {
  readonly username: string;
  readonly currentPassword: string;
  /** Of the second factor, if the user has one. */
  readonly code?: string;
  readonly newPassword: string;
}): Promise<void> {
  await sendRequest('/2.0/account/password', { method: 'PUT', headers, body: JSON.stringify(change) });
}

/** The user's SSH keys, and what the account policy allows. */
export async function listSshKeys(signal: AbortSignal): Promise<OwnSshKeys> {
  const response = await requestFiles('/2.0/account/ssh-keys', { signal });
  return (await response.json()) as OwnSshKeys;
}

/** A key to add. */
export interface NewSshKey {
  readonly key: string;
  readonly comment?: string;
  /** The last day on which it is valid. */
  readonly expires?: string;
}

/** Adds an SSH key. */
export async function addSshKey(key: NewSshKey): Promise<void> {
  await requestFiles('/2.0/account/ssh-keys', { method: 'POST', headers, body: JSON.stringify(key) });
}

/** Deletes an SSH key that the user has added. */
export async function deleteSshKey(id: string): Promise<void> {
  await requestFiles(`/2.0/account/ssh-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** An open session of the user. */
export type OwnSession = z.output<JsonOf<typeof listOwnSessionsEndpoint>>['sessions'][number];

/** A complete upload or download of the user. */
export type OwnTransfer = TransferPage['transfers'][number];

type TransferPage = z.output<JsonOf<typeof listOwnTransfersEndpoint>>;
type JsonOf<E extends { readonly responses: { readonly 200: { readonly body: { readonly schema: z.ZodType } } } }> =
  E['responses'][200]['body']['schema'];

/** The user's open sessions, newest first. */
export async function listSessions(signal: AbortSignal): Promise<readonly OwnSession[]> {
  const response = await requestFiles('/2.0/account/sessions', { signal });
  return ((await response.json()) as { readonly sessions: readonly OwnSession[] }).sessions;
}

/** Ends a session of the user. */
export async function endSession(id: string): Promise<void> {
  await requestFiles(`/2.0/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** A page of the user's transfers; an empty cursor is the first. */
export async function listTransfers(cursor: string, signal: AbortSignal): Promise<TransferPage> {
  const query = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const response = await requestFiles(`/2.0/account/transfers${query}`, { signal });
  return (await response.json()) as TransferPage;
}
