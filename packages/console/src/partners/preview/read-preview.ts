import { addressOf, requestFiles } from '../api/request-files.ts';
import { type ContentKind, contentKindOf } from './content-kind.ts';
import { imageSizeOf } from './image-size.ts';

/** The part of a text that is shown. */
export const mostTextBytes = 256 * 1_024;

/** Pictures and documents are shown as a whole or not at all. */
export const mostWholeBytes = 20 * 1_024 * 1_024;

/** More than any camera or scanner delivers; a picture takes four bytes a pixel once it is decoded. */
const mostPixels = 50_000_000;

/** What can be shown of a file. */
export type Preview =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'image'; readonly blob: Blob }
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'none'; readonly reason: 'empty' | 'other' | 'too-big' | 'damaged' };

/**
 * Reads what a preview shows, as bytes: nothing of a file becomes a part of the page but its characters, the pixels of a
 * picture whose format the browser only decodes, and a document that pdf.js draws.
 * @throws RequestFailure
 */
export async function readPreview(path: string, size: number, signal: AbortSignal): Promise<Preview> {
  if (size === 0) return { kind: 'none', reason: 'empty' };
  const head = await readStart(path, mostTextBytes, signal);
  const content = contentKindOf(head);
  if (content.kind === 'other') return { kind: 'none', reason: 'other' };
  if (content.kind === 'text') {
    const text = new TextDecoder(content.encoding).decode(head, { stream: size > head.length });
    return { kind: 'text', text, isCut: size > head.length };
  }
  if (size > mostWholeBytes) return { kind: 'none', reason: 'too-big' };
  const bytes = size > head.length ? await readStart(path, mostWholeBytes, signal) : head;
  return content.kind === 'pdf' ? { kind: 'pdf', bytes } : imageOf(bytes, content);
}

/** The media type is the one of the bytes, so that a browser cannot take the picture for anything else. */
function imageOf(bytes: Uint8Array<ArrayBuffer>, { mediaType }: Extract<ContentKind, { kind: 'image' }>): Preview {
  const size = imageSizeOf(bytes, mediaType);
  if (size === undefined || size.width * size.height === 0) return { kind: 'none', reason: 'damaged' };
  if (size.width * size.height > mostPixels) return { kind: 'none', reason: 'too-big' };
  return { kind: 'image', blob: new Blob([bytes], { type: mediaType }) };
}

/** The first bytes of a file, and never more than that, whatever the server sends. */
async function readStart(path: string, limit: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await requestFiles(addressOf('files', path), {
    headers: { Range: `bytes=0-${limit - 1}` },
    signal,
    cache: 'no-store',
  });
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value.subarray(0, limit - length));
    length += Math.min(value.length, limit - length);
  }
  await reader.cancel();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
