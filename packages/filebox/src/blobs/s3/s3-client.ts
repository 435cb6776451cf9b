import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

const connectionTimeoutMs = 5_000;
const idleTimeoutMs = 60_000;
const connectionsAtMost = 256;

/** Where an S3 server is; AWS without an `endpoint`. */
export interface S3Place {
  readonly region: string;
  readonly endpoint?: string | undefined;
  readonly pathStyle: boolean;
}

/** A client of AWS or of any other server that implements S3. Without credentials it uses the SDK's credential chain. */
export function createS3Client(place: S3Place, credentials?: S3ClientConfig['credentials']): S3Client {
  const { region, endpoint, pathStyle } = place;
  const agent = { maxSockets: connectionsAtMost, keepAlive: true };
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}
