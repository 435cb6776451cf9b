import type { HttpClient } from '../http/http-client.ts';
import type { Lease } from '../limits/connection-pool.ts';
import type { RemoteClient } from '../peer/remote-session.ts';
import type { S3Bucket } from '../s3/s3-client.ts';
import type { Scan } from '../scan/scan-content.ts';
import type { Mail, SentMail } from '../smtp/mail-client.ts';

/**
 * The client connections that one step of a job may use: those of the actor of its contract, and those of the platform.
 * All of them throw CodedError `connection_unknown` for others, and `connection_suspended` while a dead partner is left alone.
 */
export interface StepConnections {
  /** The same for every attempt of the step, and for no other step: by it the other side recognises a repetition. */
  readonly idempotencyKey: string;
  sftp(name: string, signal: AbortSignal): Promise<Lease<RemoteClient>>;
  ftps(name: string, signal: AbortSignal): Promise<Lease<RemoteClient>>;
  s3(name: string, signal: AbortSignal): Promise<Lease<S3Bucket>>;
  http(name: string, signal: AbortSignal): Promise<Lease<HttpClient>>;
  scan(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Scan>;
  sendMail(name: string, mail: Mail, signal: AbortSignal): Promise<SentMail>;
}
