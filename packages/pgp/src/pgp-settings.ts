import type { PartialConfig } from 'openpgp';

/**
 * The settings of OpenPGP. Decrypted bytes are passed on before the end of the message was authenticated, so that memory does not
 * grow with the file: the caller must discard them if the stream fails. A message without integrity protection (no MDC), and
 * signatures with MD5, RIPEMD-160 or SHA-1, are refused: these are the defaults of the library.
 */
export const pgpSettings = {
  allowUnauthenticatedStream: true,
  allowUnauthenticatedMessages: false,
  allowInsecureDecryptionWithSigningKeys: false,
  showVersion: false,
  showComment: false,
} as const satisfies PartialConfig;

/** Where a stream of content comes from, and where it goes. */
export type Content = AsyncIterable<Uint8Array>;

/** Content that is made while other content is read. `result` is known at its end. */
export interface Transformed {
  readonly output: Content;
  readonly result: () => Promise<Readonly<Record<string, string>>>;
}
