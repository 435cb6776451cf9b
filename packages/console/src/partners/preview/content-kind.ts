/** What the first bytes of a file say that it is. Neither its name nor its media type is asked: both are chosen by its sender. */
export type ContentKind =
  | { readonly kind: 'image'; readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' }
  | { readonly kind: 'other' };

const signatures = [
  { bytes: '\u0089PNG\r\n\u001a\n', at: 0, found: { kind: 'image', mediaType: 'image/png' } },
  { bytes: '\u00ff\u00d8\u00ff', at: 0, found: { kind: 'image', mediaType: 'image/jpeg' } },
  { bytes: 'GIF87a', at: 0, found: { kind: 'image', mediaType: 'image/gif' } },
  { bytes: 'GIF89a', at: 0, found: { kind: 'image', mediaType: 'image/gif' } },
  { bytes: 'WEBPVP8', at: 8, found: { kind: 'image', mediaType: 'image/webp' } },
  { bytes: '%PDF-', at: 0, found: { kind: 'pdf' } },
] as const;

/** The kind of a content that begins with `head`. Everything that is text is `text`, whatever language it is in. */
export function contentKindOf(head: Uint8Array): ContentKind {
  const found = signatures.find(({ bytes, at }) => hasAt(head, bytes, at));
  // Browsers ask for both, and take a file that has only the second for another format, of another size.
  if (found !== undefined && (found.at === 0 || hasAt(head, 'RIFF', 0))) return found.found;
  if (hasAt(head, '\u00ff\u00fe', 0)) return { kind: 'text', encoding: 'utf-16le' };
  if (hasAt(head, '\u00fe\u00ff', 0)) return { kind: 'text', encoding: 'utf-16be' };
  if (head.some(isBinary)) return { kind: 'other' };
  return { kind: 'text', encoding: isUtf8(head) ? 'utf-8' : 'windows-1252' };
}

function hasAt(head: Uint8Array, bytes: string, at: number): boolean {
  return Array.from(bytes, (character) => character.charCodeAt(0)).every((byte, index) => head[at + index] === byte);
}

/** Control characters that no text has: all but tab, line feed, vertical tab, form feed, carriage return and escape. */
function isBinary(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f;
}

/** Whether it is UTF-8, but for a last character that may be incomplete. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
