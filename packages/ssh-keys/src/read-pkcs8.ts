import { refuseUnreadable } from './key-refusal.ts';

/** A private key in PKCS #8 (RFC 5208). */
export interface Pkcs8Key {
  readonly der: Buffer;
  /** How often the passphrase is hashed: iterations of PBKDF2, or N · r · p of scrypt; undefined without a passphrase. */
  readonly iterations: number | undefined;
}

const form =
  /^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END (?:ENCRYPTED )?PRIVATE KEY-----/mu;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/u;
const tags = { integer: 0x02, octets: 0x04, sequence: 0x30 } as const;
const deepest = 8;

/**
 * Reads a private key of PKCS #8 in PEM; undefined for another format. OpenSSL gets the bytes that were read here, so that no other
 * reading of the text has another cost. @throws KeyRefusal
 */
export function readPkcs8(text: string): Pkcs8Key | undefined {
  if (!/^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----/mu.test(text)) return undefined;
  const body = form.exec(text)?.[1]?.replaceAll(/\s/gu, '') ?? '';
  if (!base64.test(body)) refuseUnreadable();
  const der = Buffer.from(body, 'base64');
  const [whole] = elementsOf(der);
  const [first] = whole?.tag === tags.sequence ? elementsOf(whole.content) : [];
  if (first?.tag === tags.integer) return { der, iterations: undefined };
  if (first?.tag !== tags.sequence) refuseUnreadable();
  return { der, iterations: iterationsIn(first.content, deepest) };
}

/** The parameters of a derivation are a sequence of the salt and numbers: iterations and the length of the key, or N, r and p. */
function iterationsIn(content: Buffer, depth: number): number {
  if (depth === 0) refuseUnreadable();
  const elements = elementsOf(content);
  const numbers: number[] = [];
  if (elements[0]?.tag === tags.octets) {
    for (const { tag, content: digits } of elements.slice(1)) {
      if (tag !== tags.integer) break;
      numbers.push(digits.length === 0 || digits.length > 4 ? Infinity : digits.readUIntBE(0, digits.length));
    }
  }
  const [first = 0, ...others] = numbers;
  const own = others.length < 2 ? first : first * (others[0] ?? 1) * (others[1] ?? 1);
  const inner = elements.filter(({ tag }) => tag === tags.sequence);
  return Math.max(own, ...inner.map((element) => iterationsIn(element.content, depth - 1)));
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** The elements of DER, with definite lengths of at most four bytes. @throws KeyRefusal */
function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at] ?? 0;
    const short = bytes[at + 1] ?? 0x80;
    const lengthBytes = short < 0x80 ? 0 : short - 0x80;
    const start = at + 2 + lengthBytes;
    if (short === 0x80 || lengthBytes > 4 || start > bytes.length) refuseUnreadable();
    const end = start + (lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes));
    if (end > bytes.length) refuseUnreadable();
    elements.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
}
