import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type KeyPair, parseKeyPair } from './key-pair.ts';

/** The files of a certificate and its key. */
export interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** More than a long chain of certificates needs. A larger file is not a certificate file. */
const fileLimitBytes = 256 * 1024;

/**
 * Reads a certificate and its key and checks that they belong together.
 * @throws Error with one sentence that names the file; never its content
 */
export async function readKeyPair({ certFile, keyFile }: KeyPairFiles): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readBounded(certFile), readBounded(keyFile)]);
  try {
    return parseKeyPair(cert, key);
  } catch (cause) {
    throw new Error(`${certFile} with ${keyFile}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

async function readBounded(file: string): Promise<string> {
  let content: Buffer;
  try {
    // Without O_NONBLOCK opening a pipe that has no writer would wait for ever.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const buffer = Buffer.alloc(fileLimitBytes + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    content = buffer.subarray(0, bytesRead);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new Error(`${file} cannot be read (${code})`, { cause });
  }
  if (content.length > fileLimitBytes) throw new Error(`${file} is larger than ${fileLimitBytes} bytes`);
  return content.toString('utf8');
}
