import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Far more than any password or address needs; a larger file was named by mistake. */
const limitBytes = 64 * 1024;

/** The content of a secret's file, or its error as a sentence without a subject. */
export type SecretFileContent = { readonly value: string } | { readonly fault: string };

/**
 * Reads a secret from a file as Docker, Kubernetes and systemd provide them. One newline at the end is not part of the
 * secret. An error never contains the path, which may be a secret by mistake.
 */
export function readSecretFile(path: string): SecretFileContent {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK opening a pipe that has no writer would wait for ever.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { fault: 'names something that is not a regular file' };
    return textOf(readAtMost(descriptor, limitBytes + 1));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { fault: `names a file that cannot be read (${code})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function textOf(bytes: Buffer): SecretFileContent {
  if (bytes.byteLength > limitBytes) return { fault: `names a file of more than ${limitBytes / 1024} KiB` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { fault: 'names a file that is not UTF-8 text' };
  }
  const value = text.replace(/\r?\n$/u, '');
  if (value === '') return { fault: 'names a file that is empty' };
  return value.includes('\0') ? { fault: 'names a file that is not UTF-8 text' } : { value };
}

function readAtMost(descriptor: number, limit: number): Buffer {
  const bytes = Buffer.alloc(limit);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, limit - length, null);
    length += read;
    if (read === 0 || length === limit) return bytes.subarray(0, length);
  }
}
