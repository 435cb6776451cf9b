import { readFile } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from '@waybill/outbound/address/destination-guard';
import { codeOf } from '@waybill/outbound/address/open-socket';
import { openStream } from '@waybill/outbound/address/open-stream';
import type { Delivery, Destination } from '../../domain/forwarding/destination.ts';
import { syslogFrame } from '../../domain/forwarding/syslog-message.ts';
import type { StoredRecord } from '../../domain/records/log-record.ts';
import type { SyslogSettings } from './forward-settings.ts';

const connectTimeoutMs = 10_000;
/** Of one connection. */
const bytesAtMost = 2 * 1024 * 1024;
/**
 * A receiver that refuses a connection by closing it is noticed within this time, before this side ends the connection itself:
 * it must not be taken for one that has read everything.
 */
const settleMs = 100;

/** A syslog receiver over TCP (RFC 6587) or TLS (RFC 5425), with octet counting. */
export function createSyslogDestination(settings: SyslogSettings, guard: DestinationGuard): Destination {
  const { name, from, host, port } = settings;
  return {
    name,
    from,
    deliver: async (records, signal) => {
      const { bytes, ...delivery } = framesOf(records, settings);
      const tls = settings.isTls ? await readTls(settings) : undefined;
      const stream = await openStream({ host, port }, { guard, timeoutMs: connectTimeoutMs, tls });
      try {
        await sendAll(stream, bytes, signal);
      } catch (cause) {
        if (signal.aborted && !isTimeout(signal)) throw cause;
        const reason = isTimeout(signal) ? 'it did not confirm in time' : reasonOf(cause);
        throw new CodedError('connection_failed', { detail: `${name}: ${reason}`, cause });
      } finally {
        stream.destroy();
      }
      return delivery;
    },
  };
}

function framesOf(records: readonly StoredRecord[], settings: SyslogSettings): Delivery & { bytes: Buffer } {
  const frames: Buffer[] = [];
  let [size, shortened] = [0, 0];
  for (const record of records) {
    const { bytes, isShortened } = syslogFrame(record, settings);
    if (frames.length > 0 && size + bytes.length > bytesAtMost) break;
    frames.push(bytes);
    size += bytes.length;
    if (isShortened) shortened += 1;
  }
  return { bytes: Buffer.concat(frames), records: frames.length, shortened };
}

/** Read for each connection: certificates are replaced. */
async function readTls({ caFile, certFile, keyFile }: SyslogSettings) {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFile(file));
  const [ca, cert, key] = await Promise.all([read(caFile), read(certFile), read(keyFile)]);
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/**
 * Syslog has no confirmation. A receiver that closes the connection after this side has ended it has read everything: a
 * connection that is closed with unread data is reset instead (RFC 1122, section 4.2.2.13), and one that is lost is not closed.
 */
async function sendAll(stream: Duplex, bytes: Buffer, signal: AbortSignal): Promise<void> {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  // It is awaited later.
  closed.catch(() => {});
  let isEnded = false;
  const onAbort = (): void => reject(new Error('aborted'));
  stream.once('end', () => (isEnded ? resolve() : reject(new EarlyEnd('the receiver closed the connection early'))));
  stream.on('error', reject);
  stream.once('close', () => reject(new EarlyEnd('the connection was closed')));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    // What a receiver sends has no meaning, but its end has.
    stream.resume();
    const written = Promise.withResolvers<void>();
    stream.write(bytes, () => written.resolve());
    await Promise.race([Promise.all([written.promise, delay(settleMs)]), closed]);
    isEnded = true;
    stream.end();
    await closed;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

class EarlyEnd extends Error {
  override readonly name = 'EarlyEnd';
}

function reasonOf(cause: unknown): string {
  return cause instanceof EarlyEnd ? cause.message : `the connection was lost (${codeOf(cause)})`;
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
