import type { ReceiptDocument } from '@waybill/contracts/endpoints/files/receipts/read-receipt';

/** What a signature covers, once it has been verified. */
export type SignedReceipt = Omit<ReceiptDocument, 'jws'> & {
  /** The platform that signed. */
  readonly iss: string;
};

/** What the verification of a receipt found. */
export interface Verification {
  /** The name of the key that signed, among those that the platform publishes; undefined if it is not there. */
  readonly keyId: string | undefined;
  /** Whether the signature is that of this key over this payload. */
  readonly isGenuine: boolean;
  /** What was signed; only to be shown if the signature is genuine. */
  readonly signed: SignedReceipt | undefined;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * Verifies a compact JWS (RFC 7515) of ES256 with the Web Cryptography API. The key is the one that the header names, of
 * those that are given; nothing else in the header is obeyed.
 */
export async function verifyReceipt(jws: string, keys: readonly JsonWebKey[]): Promise<Verification> {
  const refused: Verification = { keyId: undefined, isGenuine: false, signed: undefined };
  const [header, payload, signature, ...others] = jws.split('.');
  if (header === undefined || payload === undefined || signature === undefined || others.length > 0) return refused;
  try {
    const { alg, kid } = readObject(header);
    const jwk = keys.find((key) => 'kid' in key && key.kid === kid);
    if (alg !== 'ES256' || typeof kid !== 'string' || jwk === undefined) return refused;
    const { kty = '', crv = '', x = '', y = '' } = jwk;
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']);
    const isGenuine = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      bytesOf(signature),
      new TextEncoder().encode(`${header}.${payload}`),
    );
    return { keyId: kid, isGenuine, signed: isGenuine ? signedReceiptOf(readObject(payload)) : undefined };
  } catch {
    return refused;
  }
}

/** The SHA-256 of a content, hexadecimal. */
export async function sha256Of(content: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function readObject(part: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)));
  if (typeof parsed !== 'object' || parsed === null) throw new TypeError('Not an object');
  return { ...parsed };
}

/** @throws if the text is not base64url */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/u.test(base64url)) throw new TypeError('Not base64url');
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
}

function signedReceiptOf(payload: Record<string, unknown>): SignedReceipt {
  const text = (name: string): string => {
    const value = payload[name];
    if (typeof value !== 'string') throw new TypeError(`${name} is missing`);
    return value;
  };
  return {
    iss: text('iss'),
    fileset: text('fileset'),
    userName: text('userName'),
    path: text('path'),
    size: Number(payload['size']),
    sha256: text('sha256'),
    storedAt: text('storedAt'),
    dfiid: text('dfiid'),
  };
}
