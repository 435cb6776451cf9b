import type { Readable, Writable } from 'node:stream';
import { bodyChunks } from './body-chunks.ts';

/**
 * Writes a request body to a parser, each chunk when the one before is done with and after `note` has seen it, until `signal`
 * fires, and ends the parser. Unlike `pipeline` it leaves the body open when the parser ends early, so that the client can
 * still be answered.
 * @throws what the body fails with, and the reason of the signal
 */
export async function feedParser(
  body: Readable,
  parser: Writable,
  { signal, note }: { signal: AbortSignal; note(chunk: Buffer): void },
): Promise<void> {
  let goOn = (): void => {};
  // A parser that is destroyed says nothing of the chunk that it was at.
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
