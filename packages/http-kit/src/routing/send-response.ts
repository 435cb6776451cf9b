import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { ResponseContract } from '@waybill/contracts/endpoints/endpoint';
import { WrittenJson } from '@waybill/contracts/endpoints/written-json';
import type { Response } from 'express';
import { type ByteSource, isByteSource } from './endpoint-response.ts';
import type { RouteResponse } from './route.ts';

/**
 * Writes a handler's response. @throws the error of a streamed body; a client that disconnects early is not an
 * error
 */
export async function sendResponse(
  response: Response,
  answer: RouteResponse,
  contract: ResponseContract | undefined,
  secure: boolean,
): Promise<void> {
  response.status(answer.status);
  for (const { name, value } of answer.cookies ?? []) {
    const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
    if (value === '') response.clearCookie(name, attributes);
    else response.cookie(name, value, attributes);
  }
  const kind = contract?.body.kind ?? 'none';
  const mediaType = contract?.body.kind === 'none' ? undefined : contract?.body.mediaType;
  if (mediaType !== undefined) response.setHeader('Content-Type', mediaType);
  // Not `response.set`, which would add a charset to the media type of a user's file.
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  try {
    if (kind === 'none') response.end();
    else if (answer.body instanceof Readable) await sendStream(response, answer.body);
    else if (Buffer.isBuffer(answer.body)) response.end(answer.body);
    else if (isByteSource(answer.body)) await sendSource(response, answer.body);
    else if (answer.body instanceof WrittenJson) response.type('json').end(answer.body.bytes);
    else response.json(answer.body);
  } catch (failure) {
    await answer.afterSend?.(failure);
    throw failure;
  }
  await answer.afterSend?.();
}

async function sendStream(response: Response, body: Readable): Promise<void> {
  if (response.req.method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  await pipeline(body, response);
}

async function sendSource(response: Response, body: ByteSource): Promise<void> {
  const sent = finished(response, { readable: false });
  if (response.req.method !== 'HEAD') {
    // A disconnected client ends both: the first error is used.
    sent.catch(() => {});
    await body.writeTo(response);
  }
  response.end();
  await sent;
}
