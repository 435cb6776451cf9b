import type { AnchoredState } from '../../domain/anchors/anchor.ts';
import { parseCheckpoint } from '../../domain/checkpoints/checkpoint.ts';

/** More than any checkpoint has. */
export const anchoredBytesAtMost = 64 * 1024;

/** The state in the text that an anchor has stored. */
export function anchoredState(text: string): AnchoredState {
  return (
    parseCheckpoint(text) ?? {
      origin: '',
      size: 0,
      root: undefined,
      fault: 'has something else than a checkpoint of an audit log',
    }
  );
}

/** The body of a response, of which no more than `anchoredBytesAtMost` are read. */
export async function readShortText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length >= anchoredBytesAtMost) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, anchoredBytesAtMost);
}
