import { S3Client } from '@aws-sdk/client-s3';
import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { createGuardedAgents } from '../http/guarded-agent.ts';
import { type CircuitBreaker, noBreaker } from '../limits/circuit-breaker.ts';
import type { RemoteSource } from '../peer/remote-session.ts';
import { createScrub } from '../peer/scrub-secrets.ts';
import { pushObject, type PushedObject } from './push-object.ts';
import type { S3Calls } from './s3-calls.ts';
import { createS3Source } from './s3-source.ts';

/** A bucket of a partner, with the credentials of this moment. */
export interface S3Bucket {
  readonly session: RemoteSource;
  push(object: PushedObject, signal: AbortSignal): Promise<string>;
}

/** Opens a bucket; its sockets are shared by all that are opened. Disposing of it closes them. */
export interface S3Opener extends Disposable {
  open(): Promise<S3Bucket>;
}

/** What an opener needs. */
export interface S3Parts {
  readonly guard: DestinationGuard;
  readonly breaker: CircuitBreaker;
  readonly connection: ConnectionOf<'s3'>;
  readonly keepMs: number;
  readSecrets(): Promise<Readonly<Record<string, Secret>>>;
}

/**
 * Every socket of the SDK comes from agents that connect to checked addresses only. The endpoint and the credentials are always
 * given: the SDK asks neither the environment of the process nor a metadata service.
 */
export function createS3Opener({ guard, breaker, connection, keepMs, readSecrets }: S3Parts): S3Opener {
  const { name, bucket, idleTimeoutSeconds, connectTimeoutSeconds, maxConnections: limit } = connection;
  const idleMs = idleTimeoutSeconds * 1_000;
  const connectTimeoutMs = connectTimeoutSeconds * 1_000;
  const { certificateAuthorities } = connection;
  // Around each call instead: a server that accepts connections and never answers is dead, too.
  const agents = createGuardedAgents({
    guard,
    breaker: noBreaker,
    connectTimeoutMs,
    keepMs,
    limit,
    certificateAuthorities,
  });
  return {
    open: async () => {
      const { accessKeyId, secretAccessKey, sessionToken } = await readSecrets();
      if (!accessKeyId || !secretAccessKey)
        throw new CodedError('secret_unknown', { detail: `${name}: no credentials` });
      const client = new S3Client({
        region: connection.region,
        endpoint: connection.endpoint ?? `https://s3.${connection.region}.amazonaws.com`,
        forcePathStyle: connection.pathStyle,
        followRegionRedirects: false,
        disableS3ExpressSessionAuth: true,
        // Content-MD5 is sent, which all servers know, and the checksums of newer ones are not demanded.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_SUPPORTED',
        maxAttempts: 3,
        credentials: {
          accessKeyId: accessKeyId.reveal(),
          secretAccessKey: secretAccessKey.reveal(),
          ...(sessionToken && { sessionToken: sessionToken.reveal() }),
        },
        requestHandler: {
          httpAgent: agents.http,
          httpsAgent: agents.https,
          socketTimeout: idleMs,
          requestTimeout: 0,
          connectionTimeout: connectTimeoutMs,
        },
      });
      const scrub = createScrub([accessKeyId, secretAccessKey, sessionToken]);
      const calls: S3Calls = { name, client, bucket, scrub, breaker };
      return { session: createS3Source(calls), push: (object, signal) => pushObject(calls, object, signal) };
    },
    [Symbol.dispose]: () => agents.destroy(),
  };
}
