import type { CodedError } from '@waybill/contracts/errors/coded-error';

/** What content may have at most, and what is thrown when it has more. */
export interface ContentRoom {
  readonly roomBytes: number;
  refusal(): CodedError;
}

/** Content that fails before it has more than `roomBytes`. */
export async function* limitedContent(
  content: AsyncIterable<Uint8Array>,
  { roomBytes, refusal }: ContentRoom,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > roomBytes) throw refusal();
    yield chunk;
  }
}
