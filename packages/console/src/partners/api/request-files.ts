import { closeSession } from './login-session.ts';
import { RequestFailure, sendRequest } from './send-request.ts';
import { takeActivity } from './user-activity.ts';

/**
 * Sends a request as the user who is logged in. One that the page repeats by itself does not keep the session.
 * @throws RequestFailure; without a session the login form opens, too
 */
export async function requestFiles(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!takeActivity()) headers.set('Waybill-Purpose', 'refresh');
  try {
    // That it succeeds opens no session: it may have been on its way during a logout.
    return await sendRequest(address, { ...init, headers });
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 401) closeSession(error);
    throw error;
  }
}

/** The part of an address that says what is asked for. */
export type FileCollection = 'files' | 'directories' | 'folders' | 'archive' | 'permissions' | 'metadata' | 'space';

/** The address of a virtual path, each name percent-encoded: `addressOf('files', '/in box/a')` is `/2.0/files/in%20box/a`. */
export function addressOf(collection: FileCollection, path: string): string {
  const names = path.split('/').filter((name) => name !== '');
  return ['/2.0', collection, ...names.map((name) => encodeURIComponent(name))].join('/');
}
