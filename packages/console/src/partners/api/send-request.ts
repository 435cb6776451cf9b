import type { FileErrorType, FileFailure } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { startTimeLimit } from '../../page-kit/time-limit.ts';
import { failureText } from '../../texts/failure-texts.ts';
import { texts } from '../texts.ts';

/** A request that failed, with a sentence for people. `status` is 0 if no response arrived. */
export class RequestFailure extends Error {
  readonly status: number;
  /** The stable name of the failure, where the interface gives one. */
  readonly code: string | undefined;
  /** The kind of failure, if the interface has answered. */
  readonly kind: FileErrorType | undefined;

  constructor(status: number, message: string, { code, errorType }: Partial<FileFailure> = {}) {
    super(message);
    this.name = 'RequestFailure';
    this.status = status;
    this.code = code;
    this.kind = errorType;
  }
}

/** No response arrived in time. */
class LateFailure extends RequestFailure {}

/** Whether a request that has failed may succeed at once: its connection was lost, or a server has failed. */
export function isWorthRepeating(error: unknown): boolean {
  return !isRefusal(error) && !(error instanceof LateFailure);
}

/** Whether the server has refused a request: it would do so again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RequestFailure && error.status >= 400 && error.status < 500;
}

/** How long the beginning of a response to a reading request may take, and to a logout, in milliseconds. */
const limitMs = 15_000;

/** Sends a request to the HTTP file interface. @throws RequestFailure */
export async function sendRequest(address: string, init: RequestInit = {}): Promise<Response> {
  const limit = startTimeLimit(limitOf(address, init), init.signal);
  const fail = (): never => {
    const lateMs = limit.lateMs();
    if (lateMs !== undefined) throw new LateFailure(0, texts.noAnswer(lateMs / 1_000));
    throw new RequestFailure(0, texts.unreachable);
  };
  try {
    const response = await fetch(address, { credentials: 'same-origin', ...init, signal: limit.signal }).catch(fail);
    if (response.ok) return response;
    throw refusalOf(response.status, await response.text().catch(fail));
  } finally {
    limit.stop();
  }
}

/** Uploads and changes have none. */
function limitOf(address: string, { method = 'GET' }: RequestInit): number | undefined {
  return method === 'GET' || address === '/2.0/logout' ? limitMs : undefined;
}

/** The failure of a response that has this body. Its sentence is the interface's message and, if there is one, its detail. */
export function refusalOf(status: number, body: string): RequestFailure {
  const failure = failureOf(body) ?? {};
  const { code, message, detail } = failure;
  const sentence = message === undefined ? texts.unexpected(status) : failureText(code, message, detail);
  return new RequestFailure(status, sentence, failure);
}

/** Undefined if not the interface answered, but a proxy. */
function failureOf(body: string): Partial<FileFailure> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
