import { CodedError } from '@waybill/contracts/coded-error';

/**
 * Content that fails before it has more than `roomBytes`, which is what an upload of `lengthBytes` has left.
 * @throws CodedError `payload_too_large`
 */
export async function* limitedContent(
  content: AsyncIterable<Uint8Array>,
  { roomBytes, lengthBytes }: { roomBytes: number; lengthBytes: number },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > roomBytes) throw beyondItsLength(lengthBytes);
    yield chunk;
  }
}

/** What is told to a client that sends more than it said. */
export function beyondItsLength(lengthBytes: number): CodedError {
  return new CodedError('payload_too_large', { detail: `The upload has an Upload-Length of ${lengthBytes} bytes` });
}
