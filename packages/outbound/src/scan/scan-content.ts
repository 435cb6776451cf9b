import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { openInTime } from '../address/open-in-time.ts';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';

/** What a scanner says of a content: it is clean, or the name of what was found. */
export type Scan = { readonly isClean: true } | { readonly isClean: false; readonly found: string };

/** What scanning needs. */
export interface ScanParts {
  readonly guard: DestinationGuard;
  readonly breaker: CircuitBreaker;
  readonly connection: ConnectionOf<'clamav'>;
}

/** The largest answer: a name is much shorter. */
const answerBytesAtMost = 4_096;
const lengthBytes = 4;

/**
 * Lets the daemon of ClamAV scan content (`INSTREAM` of clamd(8)), as it is read. An answer that is neither `OK` nor `FOUND`
 * never counts as clean. @throws CodedError `destination_refused`, `connection_failed` (the scanner is down, silent or has an
 * error), `remote_refused` (the content is larger than its `StreamMaxLength`); errors of the content
 */
export async function scanContent(
  parts: ScanParts,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Scan> {
  const { connection } = parts;
  const socket = await parts.breaker.attempt(() => openInTime(parts.guard, connection, signal));
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  socket.setTimeout(connection.idleTimeoutSeconds * 1_000, () => {
    socket.destroy(new Error(`it was silent for ${connection.idleTimeoutSeconds} s`));
  });
  const answer = readAnswer(socket);
  try {
    await sendStream(socket, content, answer);
    return readScan(await answer, connection.name);
  } catch (error) {
    signal.throwIfAborted();
    if (isCodedError(error) || !socket.destroyed) throw error;
    // The scanner ends the connection after it has refused the stream: then there is an answer.
    const answered = await answer.catch(() => '');
    if (answered !== '') return readScan(answered, connection.name);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CodedError('connection_failed', {
      detail: `${connection.name}: the scan has failed: ${reason}`,
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

/** Sends chunks, each after its length, and an empty one at the end. It stops when there is an answer before. */
async function sendStream(socket: Socket, content: AsyncIterable<Uint8Array>, answer: Promise<string>): Promise<void> {
  const state = { isAnswered: false };
  const note = (): void => void (state.isAnswered = true);
  answer.then(note, note);
  socket.write('zINSTREAM\0');
  for await (const chunk of content) {
    if (state.isAnswered) return;
    if (chunk.length === 0) continue;
    socket.write(lengthOf(chunk.length));
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answer]);
  }
  if (!state.isAnswered) socket.write(lengthOf(0));
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes);
  return length;
}

/** Everything that the scanner says before it ends the connection, or a NUL. */
function readAnswer(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => {});
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    if (text.length > answerBytesAtMost) {
      reject(new Error('its answer is too long'));
      socket.destroy();
    } else if (text.includes('\0')) resolve(text);
  });
  socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  socket.on('close', () => (text === '' ? reject(new Error('it has closed the connection')) : resolve(text)));
  return promise;
}

function readScan(answer: string, name: string): Scan {
  const text = answer.split('\0')[0]?.trim() ?? '';
  if (text === 'stream: OK') return { isClean: true };
  const found = /^stream: (.+) FOUND$/su.exec(text)?.[1];
  if (found !== undefined) return { isClean: false, found: printable(found) };
  const detail = `${name}: the scanner answers ${JSON.stringify(printable(text))}`;
  throw new CodedError(text.includes('size limit exceeded') ? 'remote_refused' : 'connection_failed', { detail });
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/gu, '?').slice(0, 300);
}
