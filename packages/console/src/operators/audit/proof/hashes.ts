/** Bytes that the browser's cryptography takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** UTF-8. */
export function bytesOf(text: string): Bytes {
  return encoder.encode(text);
}

/** SHA-256 of the parts one after the other. */
export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

/** Lower-case hexadecimal. */
export function hexOf(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads Base64; what is none has no bytes. */
export function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return new Uint8Array();
  }
}
