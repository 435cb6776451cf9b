import type { IncomingMessage } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/**
 * A whole request body of at most `limitBytes`.
 * @throws CodedError `payload_too_large`, `upload_incomplete` (the client went away), `request_timeout` (it took longer
 * than `timeoutMs`)
 */
export async function readBody(
  request: IncomingMessage,
  limits: { limitBytes: number; timeoutMs: number },
): Promise<Buffer> {
  const { limitBytes, timeoutMs } = limits;
  const tooLarge = () =>
    new CodedError('payload_too_large', { detail: `The body may have at most ${limitBytes} bytes` });
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  const body = Promise.withResolvers<Buffer>();
  const deadline = setTimeout(() => body.reject(new CodedError('request_timeout')), timeoutMs);
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limitBytes) body.reject(tooLarge());
    else chunks.push(chunk);
  });
  request.on('end', () => body.resolve(Buffer.concat(chunks)));
  request.on('error', (cause) => body.reject(new CodedError('upload_incomplete', { cause })));
  // After every request, also a complete one: an error has a stack, which takes time to collect.
  request.on('close', () => request.complete || body.reject(new CodedError('upload_incomplete')));
  try {
    return await body.promise;
  } finally {
    clearTimeout(deadline);
  }
}
