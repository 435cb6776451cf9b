import { ReadableStream, TextDecoderStream } from 'node:stream/web';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Content } from './pgp-settings.ts';

/** Bytes as a stream of the web, which reads them as they are needed. */
export function streamOf(content: Content): ReadableStream<Uint8Array> {
  return ReadableStream.from(content);
}

/** A message as the library takes it: binary, or with ASCII armor (RFC 9580, section 6.2). */
export type MessageInput =
  | { readonly binaryMessage: ReadableStream<Uint8Array> }
  | { readonly armoredMessage: ReadableStream<string> };

/** The first octet of every binary packet has its highest bit set (RFC 9580, section 4.2). No text does. */
const packetBit = 0x80;

/**
 * Tells binary messages from those with armor by their first byte.
 * @throws CodedError `decryption_failed` if there is none
 */
export async function messageInput(content: Content): Promise<MessageInput> {
  const chunks = content[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (first.done !== true && first.value.length === 0) first = await chunks.next();
  if (first.done === true) throw new CodedError('decryption_failed', { detail: 'The file is empty' });
  const stream = streamOf(prepend(first.value, chunks));
  if (((first.value[0] ?? 0) & packetBit) !== 0) return { binaryMessage: stream };
  return { armoredMessage: stream.pipeThrough(new TextDecoderStream('latin1')) };
}

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The bytes of what the library makes: bytes, text with armor, or streams of them. */
export async function* bytesOf(made: unknown): Content {
  if (typeof made === 'string') yield Buffer.from(made);
  else if (made instanceof Uint8Array) yield made;
  else if (made instanceof ReadableStream) yield* partsOf(made);
  else throw new TypeError('OpenPGP gives bytes, text or a stream of them');
}

/** A stream of which the library reads a copy has another `getReader`, and nothing else that is of use. */
async function* partsOf(stream: ReadableStream<unknown>): Content {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield* bytesOf(next.value);
  } finally {
    // Without effect at the end. Otherwise nothing is read any more.
    await reader.cancel().catch(() => {});
  }
}
