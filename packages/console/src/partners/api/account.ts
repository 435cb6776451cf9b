import type { OwnSshKeys } from '@waybill/contracts/endpoints/files/account/list-own-ssh-keys';
import { requestFiles } from './request-files.ts';
import { sendRequest } from './send-request.ts';

const headers = { 'Content-Type': 'application/json' };

/** Changes a password. All sessions of the user end. @throws RequestFailure; a refused password names every reason */
export async function changePassword(change: {
  readonly username: string;
  readonly currentPassword: string;
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
