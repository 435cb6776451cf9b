import type { Socket } from 'node:net';
import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { openInTime } from '../address/open-in-time.ts';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';
import { IcapExchange, type IcapResponse } from './icap-exchange.ts';
import type { Scan } from './scan-content.ts';

/** What scanning needs. */
export interface IcapParts {
  readonly guard: DestinationGuard;
  readonly breaker: CircuitBreaker;
  readonly connection: ConnectionOf<'icap'>;
}

/** The largest preview that is sent: it is in memory. */
const previewBytesAtMost = 65_536;

/** What the service can do, as it says in its answer to OPTIONS. */
interface Service {
  readonly preview: number | undefined;
}

/**
 * Lets an ICAP service (RFC 3507) judge content, as it is read. 204 alone means that it is clean: what was changed or replaced,
 * whatever the reason, is not. @throws CodedError `destination_refused`, `connection_failed`, `remote_refused` (no such service,
 * the content is too large); errors of the content
 */
export async function scanOverIcap(
  parts: IcapParts,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Scan> {
  const service = await exchange(parts, signal, (icap) => readOptions(parts.connection, icap));
  return await exchange(parts, signal, (icap) => scan(parts.connection, icap, service, content));
}

async function exchange<T>(
  parts: IcapParts,
  signal: AbortSignal,
  work: (icap: IcapExchange) => Promise<T>,
): Promise<T> {
  const { connection, guard } = parts;
  const socket = await parts.breaker.attempt(() => openInTime(guard, connection, signal));
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  limitSilence(socket, connection.idleTimeoutSeconds);
  try {
    return await work(new IcapExchange(socket));
  } catch (error) {
    signal.throwIfAborted();
    if (isCodedError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `${connection.name}: the scan has failed: ${reason}`;
    throw new CodedError('connection_failed', { detail, cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

function limitSilence(socket: Socket, seconds: number): void {
  socket.setTimeout(seconds * 1_000, () => socket.destroy(new Error(`it was silent for ${seconds} s`)));
}

async function readOptions(connection: ConnectionOf<'icap'>, icap: IcapExchange): Promise<Service> {
  await icap.send(`OPTIONS ${head(connection)}Encapsulated: null-body=0\r\n\r\n`);
  const { status, reason, headers } = await icap.read();
  if (status !== 200) throw refusal(connection, { status, reason });
  const methods = listOf(headers.get('methods'));
  if (!methods.includes(connection.method.toLowerCase())) {
    throw refused(connection, `the service has no ${connection.method}, only ${printable(methods.join(', '))}`);
  }
  // Without it, clean content would come back as a whole, and could not be told from other content.
  if (!listOf(headers.get('allow')).includes('204')) throw refused(connection, 'the service does not answer 204');
  const preview = headers.get('preview');
  if (preview === undefined || !/^\d{1,9}$/u.test(preview)) return { preview: undefined };
  return { preview: Math.min(Number(preview), previewBytesAtMost) };
}

async function scan(
  connection: ConnectionOf<'icap'>,
  icap: IcapExchange,
  { preview }: Service,
  content: AsyncIterable<Uint8Array>,
): Promise<Scan> {
  const source = limited(connection, content)[Symbol.asyncIterator]();
  const { first, rest } = await takePreview(source, preview ?? 0);
  // The service was reached, and there is nothing that it could scan: c-icap has no clear answer to that.
  if (first.length === 0 && rest === undefined) return { isClean: true };
  await icap.send(requestHead(connection, preview));
  if (preview === undefined) {
    if (rest) await sendChunk(icap, rest);
    await sendRest(icap, source);
    return judge(connection, await icap.read());
  }
  if (first.length > 0) await sendChunk(icap, first);
  await icap.send(rest === undefined ? '0; ieof\r\n\r\n' : '0\r\n\r\n');
  const response = await icap.read();
  if (response.status !== 100 || rest === undefined) return judge(connection, response);
  if (rest.length > 0) await sendChunk(icap, rest);
  await sendRest(icap, source);
  return judge(connection, await icap.read());
}

function head({ host, port, service }: ConnectionOf<'icap'>): string {
  const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  return `icap://${authority}/${service} ICAP/1.0\r\nHost: ${authority}\r\nConnection: close\r\n`;
}

/** The HTTP message that the content belongs to (section 4.4). Names of files are not sent. */
function requestHead(connection: ConnectionOf<'icap'>, preview: number | undefined): string {
  const { method } = connection;
  const request = `${method === 'REQMOD' ? 'POST' : 'GET'} http://waybill.invalid/file HTTP/1.1\r\nHost: waybill.invalid\r\n\r\n`;
  const type = 'Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
  const response = `HTTP/1.1 200 OK\r\n${type}`;
  const encapsulated =
    method === 'REQMOD'
      ? `req-hdr=0, req-body=${request.length}`
      : `req-hdr=0, res-hdr=${request.length}, res-body=${request.length + response.length}`;
  const announced = preview === undefined ? '' : `Preview: ${preview}\r\n`;
  const message = method === 'REQMOD' ? request : request + response;
  return `${method} ${head(connection)}Allow: 204\r\n${announced}Encapsulated: ${encapsulated}\r\n\r\n${message}`;
}

/** At most so many bytes of the content, and what is left of the chunk after them; `undefined` if the content has ended. */
async function takePreview(source: AsyncIterator<Uint8Array>, length: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const next = await source.next();
    if (next.done === true) return { first: Buffer.concat(chunks), rest: undefined };
    chunks.push(next.value);
    size += next.value.length;
    if (size <= length) continue;
    const all = Buffer.concat(chunks);
    return { first: all.subarray(0, length), rest: all.subarray(length) };
  }
}

/** Sends what is left, and stops when there is an answer before. */
async function sendRest(icap: IcapExchange, source: AsyncIterator<Uint8Array>): Promise<void> {
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    if (icap.isAnswered) return;
    if (next.value.length > 0) await sendChunk(icap, next.value);
  }
  await icap.send('0\r\n\r\n');
}

async function sendChunk(icap: IcapExchange, bytes: Uint8Array): Promise<void> {
  await icap.send(`${bytes.length.toString(16)}\r\n`);
  await icap.send(bytes);
  await icap.send('\r\n');
}

/** Scanners let pass what is too large for them, as if it were clean. */
async function* limited(
  connection: ConnectionOf<'icap'>,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > connection.bytesAtMost) {
      throw refused(connection, `the file has more than ${connection.bytesAtMost} bytes (\`bytesAtMost\`)`);
    }
    yield chunk;
  }
}

function judge(connection: ConnectionOf<'icap'>, response: IcapResponse): Scan {
  const { status, headers } = response;
  if (status === 204) return { isClean: true };
  if (status !== 200) throw refusal(connection, response);
  const infection = headers.get('x-infection-found');
  const threat = infection === undefined ? undefined : /Threat=(?<name>[^;]+)/iu.exec(infection)?.groups?.['name'];
  const found = threat ?? infection ?? headers.get('x-virus-id') ?? 'the scanner has replaced the content';
  return { isClean: false, found: printable(found.trim()) };
}

function refusal(
  connection: ConnectionOf<'icap'>,
  { status, reason }: Pick<IcapResponse, 'status' | 'reason'>,
): CodedError {
  const code = status >= 400 && status < 500 && status !== 408 ? 'remote_refused' : 'connection_failed';
  const detail = `${connection.name}: the scanner answers ${status} ${printable(reason)}`;
  return new CodedError(code, { detail });
}

function refused(connection: ConnectionOf<'icap'>, reason: string): CodedError {
  return new CodedError('remote_refused', { detail: `${connection.name}: the scan was refused: ${reason}` });
}

function listOf(header = ''): string[] {
  return header.split(',').map((item) => item.trim().toLowerCase());
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/gu, '?').slice(0, 300);
}
