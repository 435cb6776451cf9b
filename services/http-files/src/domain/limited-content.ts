import { CodedError } from '@waybill/contracts/coded-error';

/** Content that fails before it has more than so many bytes. @throws CodedError `payload_too_large` */
export async function* limitedContent(
  content: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limitBytes) throw beyondItsLength();
    yield chunk;
  }
}

/** What is told to a client that sends more than it said. */
export function beyondItsLength(): CodedError {
  return new CodedError('payload_too_large', { detail: 'The upload would be longer than its Upload-Length' });
}
