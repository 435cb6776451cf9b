import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { GnupgKey } from '@waybill/test-kit/gnupg/start-gnupg';
import { bytesOf } from '../src/content-stream.ts';
import type { KeyMaterial } from '../src/key-material.ts';
import type { Content, Transformed } from '../src/pgp-settings.ts';

/** Bytes as a stream that arrives in pieces. */
export async function* inPieces(bytes: Uint8Array, size = 65_536): Content {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield new Uint8Array(bytes.subarray(at, at + size));
  }
}

/** All bytes of what the library makes. */
export async function collectStream(made: unknown): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytesOf(made)) parts.push(part);
  return Buffer.concat(parts);
}

/** Reads an output to its end. */
export async function collect(
  made: Promise<Transformed>,
): Promise<{ bytes: Buffer; result: Readonly<Record<string, string>> }> {
  const { output, result } = await made;
  const parts: Uint8Array[] = [];
  for await (const part of output) parts.push(part);
  return { bytes: Buffer.concat(parts), result: await result() };
}

/** The code and the message with which something is refused; what it gave, if it is not. */
export async function refusalOf(made: Promise<Transformed>): Promise<string> {
  try {
    const { bytes } = await collect(made);
    return `accepted ${bytes.length} bytes`;
  } catch (error) {
    return isCodedError(error) ? `${error.code}: ${error.message}` : String(error);
  }
}

/** A key of GnuPG as an own key. */
export function ownKey({ user, publicKey, privateKey }: GnupgKey, passphrase?: string): KeyMaterial {
  return { name: user, publicKey, privateKey, ...(passphrase !== undefined && { passphrase }) };
}

/** A key of GnuPG as that of a partner. */
export function partnerKey({ user, publicKey }: GnupgKey): KeyMaterial {
  return { name: user, publicKey };
}
