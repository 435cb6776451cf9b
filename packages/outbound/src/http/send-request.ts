import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { codeOf } from '../address/open-socket.ts';
import type { createGuardedAgents } from './guarded-agent.ts';
import type { HttpRequest, HttpResponse } from './http-request.ts';

/** A request with its headers, for one target. */
export interface SentRequest {
  readonly name: string;
  readonly target: URL;
  readonly request: HttpRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly agents: ReturnType<typeof createGuardedAgents>;
  /** How long nothing may happen. */
  readonly idleMs: number;
}

/**
 * Sends a request and resolves with the head of the response. The other side may answer before it has read the whole body.
 * @throws CodedError `connection_failed`, and what connecting throws; the signal's reason
 */
export async function sendRequest(sent: SentRequest, signal: AbortSignal): Promise<HttpResponse> {
  const { name, target, request, headers, agents, idleMs } = sent;
  const isTls = target.protocol === 'https:';
  const options = { method: request.method, headers, signal, timeout: idleMs, maxHeaderSize: 64 * 1024 };
  const outgoing = isTls
    ? requestHttps(target, { ...options, agent: agents.https })
    : requestHttp(target, { ...options, agent: agents.http });
  // Also between two parts of the response: the socket's timeout is that of the request.
  outgoing.on('timeout', () => outgoing.destroy(new IdleError(`nothing has arrived for ${idleMs / 1_000} s`)));
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const written = writeBody(outgoing, request).catch((error: unknown) => error);
  try {
    const [response] = await answered;
    return { status: response.statusCode ?? 0, headers: response.headers, body: response };
  } catch (cause) {
    signal.throwIfAborted();
    const failure = await failureOf(cause, written);
    throw failure instanceof CodedError ? failure : connectionFailed(name, failure);
  }
}

/** The failure of a request or of the body of its response. */
export function connectionFailed(name: string, cause: unknown): CodedError {
  const reason = cause instanceof IdleError ? cause.message : `the connection was lost (${codeOf(cause)})`;
  return new CodedError('connection_failed', { detail: `${name}: ${reason}`, cause });
}

class IdleError extends Error {
  override readonly name = 'IdleError';
}

/** A file that cannot be read ends the request, whose own error would only say that it was ended. */
async function failureOf(cause: unknown, written: Promise<unknown>): Promise<unknown> {
  const readError = await written;
  return readError instanceof CodedError ? readError : cause;
}

async function writeBody(outgoing: ClientRequest, { body }: HttpRequest): Promise<void> {
  if (body) await pipeline(body.content(), outgoing);
  else outgoing.end();
}
