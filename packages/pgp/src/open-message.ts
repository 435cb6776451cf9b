import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { type Message, readMessage } from 'openpgp';
import { messageInput } from './content-stream.ts';
import { type Content, pgpSettings } from './pgp-settings.ts';

/** A message whose content is read as it is needed. */
export type StreamedMessage = Message<ReadableStream<Uint8Array>>;

/**
 * Reads the beginning of a message, binary or with ASCII armor.
 * @throws CodedError `decryption_failed` if there is none
 */
export async function openMessage(content: Content): Promise<StreamedMessage> {
  try {
    const input = await messageInput(content);
    return 'binaryMessage' in input
      ? await readMessage({ ...input, config: pgpSettings })
      : await readMessage({ ...input, config: pgpSettings });
  } catch (error) {
    if (isCodedError(error)) throw error;
    throw new CodedError('decryption_failed', { detail: `The file is not a PGP message: ${reasonOf(error)}` });
  }
}

/** What the library says, without its own preamble. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^Error (?:decrypting|reading) message: /u, '') : String(error);
}
