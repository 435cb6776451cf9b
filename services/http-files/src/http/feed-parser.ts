import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/**
 * Writes a request body to a parser, no faster than the parser takes it and after `note` has seen it, until `signal` fires. Unlike `pipeline` it leaves
 * the body open when the parser ends early, so that the client can still be answered.
 */
export async function feedParser(
  body: Readable,
  parser: Writable,
  { signal, note }: { signal: AbortSignal; note(chunk: Buffer): void },
): Promise<void> {
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (signal.aborted) return;
    note(chunk);
    if (!parser.write(chunk)) await once(parser, 'drain', { signal });
  }
  parser.end();
}
