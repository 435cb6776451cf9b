import { createS3Bucket } from '@waybill/filebox/blobs/s3/s3-bucket';
import { createS3Client } from '@waybill/filebox/blobs/s3/s3-client';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { Anchor } from '../../domain/anchors/anchor.ts';
import type { AnchorSettings } from './anchor-settings.ts';
import { anchoredBytesAtMost, anchoredState } from './anchored-text.ts';

/** An object of a bucket. In a bucket with object lock each version can be locked. */
export function createS3Anchor(
  settings: Extract<AnchorSettings, { kind: 's3' }>,
  credentials: S3Credentials | undefined,
): Anchor & Disposable {
  const { name, key, region, endpoint, 'path-style': pathStyle, 'lock-days': lockDays } = settings;
  const client = createS3Client({ region, endpoint, pathStyle: pathStyle === 'true' }, credentials);
  const bucket = createS3Bucket(client, settings.bucket);
  return {
    name,
    read: async (_head, signal) => {
      const object = await bucket.head(key);
      if (!object) return undefined;
      const { size, etag } = object;
      if (size === 0 || size > anchoredBytesAtMost) return anchoredState('');
      return anchoredState((await bucket.read(key, { start: 0, end: size, etag, signal })).toString());
    },
    store: async ({ note }) => {
      const lockedUntil = lockDays === undefined ? undefined : new Date(Date.now() + lockDays * 86_400_000);
      await bucket.put(key, Buffer.from(note), {}, lockedUntil);
      return undefined;
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}
