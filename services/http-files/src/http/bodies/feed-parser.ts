import type { Readable, Writable } from 'node:stream';
import { bodyChunks } from './body-chunks.ts';

/**
 * Writes a request body to a parser, each chunk after the parser has processed the previous one and `note` has seen it,
 * until `signal` fires, and ends the parser. Unlike `pipeline` it leaves the body open if the parser ends early, so
 * that a response can still be sent.
 * @throws errors of the body, and the reason of the signal
 */
export async function feedParser(
  body: Readable,
  parser: Writable,
  { signal, note }: { signal: AbortSignal; note(chunk: Buffer): void },
): Promise<void> {
  let goOn = (): void => {};
  // A destroyed parser does not call back for its present chunk.
  signal.addEventListener('abort', () => goOn());
  for await (const chunk of bodyChunks(body, signal)) {
    note(chunk);
    await new Promise<void>((resolve) => {
      goOn = resolve;
      parser.write(chunk, () => resolve());
    });
  }
  parser.end();
}
