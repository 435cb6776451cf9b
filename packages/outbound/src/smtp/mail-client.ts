import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from '@waybill/service-kit/config/secret';
import { createTransport } from 'nodemailer';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { openInTime } from '../address/open-in-time.ts';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';
import { createScrub, type Scrub } from '../peer/scrub-secrets.ts';

/** A mail. */
export interface Mail {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt: mail readers and servers recognise a repetition by it. */
  readonly messageId: string;
  readonly attachments: readonly { readonly filename: string; readonly content: Readable }[];
}

/** What came of a mail. */
export interface SentMail {
  readonly accepted: number;
}

/** What sending needs. */
export interface MailParts {
  readonly guard: DestinationGuard;
  readonly breaker: CircuitBreaker;
  readonly connection: ConnectionOf<'smtp'>;
  readonly password?: Secret | undefined;
}

/**
 * Sends a mail over a connection of its own. It is sent to all recipients or counts as failed, because a repetition is then
 * sent to all of them. @throws CodedError `destination_refused`, `connection_failed` (also for what SMTP calls temporary,
 * 4xx), `remote_refused`
 */
export async function sendMail(parts: MailParts, mail: Mail, signal: AbortSignal): Promise<SentMail> {
  const outcome = await parts.breaker.attempt(async () => {
    const socket = await openInTime(parts.guard, parts.connection, signal);
    return await sendOver(socket, { parts, mail, signal });
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome;
}

/** Failures of a server that has accepted the login: they say nothing of whether the partner is alive. */
const answers: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE', 'ESTREAM']);

/** @throws CodedError for a server that cannot be talked to, or that refuses the login */
async function sendOver(
  socket: Socket,
  { parts, mail, signal }: { parts: MailParts; mail: Mail; signal: AbortSignal },
): Promise<SentMail | { readonly refusal: CodedError }> {
  const { connection, password } = parts;
  const { username, from } = connection;
  const scrub = createScrub([password]);
  const timeoutMs = connection.idleTimeoutSeconds * 1_000;
  const transport = createTransport({
    connection: socket,
    host: connection.host,
    port: connection.port,
    secure: connection.security === 'tls',
    requireTLS: connection.security === 'starttls',
    ignoreTLS: connection.security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(connection.certificateAuthorities && { ca: connection.certificateAuthorities }) },
    ...(username !== undefined && password && { auth: { user: username, pass: password.reveal() } }),
    greetingTimeout: connection.connectTimeoutSeconds * 1_000,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const sent = await transport.sendMail({
      from,
      ...mail,
      to: [...mail.to],
      cc: [...mail.cc],
      attachments: [...mail.attachments],
    });
    if (sent.rejected.length === 0) return { accepted: sent.accepted.length };
    const detail = `${connection.name}: ${sent.rejected.length} of the recipients were refused`;
    return { refusal: new CodedError('remote_refused', { detail }) };
  } catch (error) {
    signal.throwIfAborted();
    const failure = error instanceof CodedError ? error : mailError(connection.name, error, scrub);
    const isAnswer =
      error instanceof CodedError || (error instanceof Error && 'code' in error && answers.has(error.code));
    if (isAnswer) return { refusal: failure };
    throw failure;
  } finally {
    signal.removeEventListener('abort', onAbort);
    transport.close();
    socket.destroy();
  }
}

/** RFC 5321, section 4.2.1: 5xx is permanent, anything else may pass. */
function mailError(name: string, error: unknown, scrub: Scrub): CodedError {
  const reason = scrub.line(error instanceof Error ? error.message : 'it failed');
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  return new CodedError(status >= 500 ? 'remote_refused' : 'connection_failed', { detail: `${name}: ${reason}` });
}
