import type { FileFailure } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { messages } from '../../page-kit/messages/messages.ts';

/** A request that failed, with a sentence for people. `status` is 0 if no response arrived. */
export class RequestFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RequestFailure';
    this.status = status;
  }
}

/** Sends a request to the HTTP file interface. @throws RequestFailure */
export async function sendRequest(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, { credentials: 'same-origin', ...init }).catch(() => {
    throw new RequestFailure(0, messages.unreachable);
  });
  if (response.ok) return response;
  throw new RequestFailure(response.status, describeFailure(response.status, await response.text()));
}

/** The sentence of a failed response: the interface's message and, if there is one, its detail. */
export function describeFailure(status: number, body: string): string {
  try {
    const { message, detail } = JSON.parse(body) as Partial<FileFailure>;
    if (message !== undefined) return detail === undefined ? message : `${message} (${detail})`;
  } catch {
    // A proxy answered, not the interface.
  }
  return messages.unexpected(status);
}
