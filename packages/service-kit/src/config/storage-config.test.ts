import { expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfig } from './load-config.ts';
import { storageConfigShape, storageOf } from './storage-config.ts';

const load = (env: Record<string, string>) =>
  storageOf(loadConfig(z.object(storageConfigShape), { BLOB_DIR: '/files', ...env }));

it('takes the credentials for S3 from the settings, when there are some', () => {
  expect(load({})).toMatchObject({ blobDir: '/files', s3Credentials: undefined });
  expect(load({ AWS_SESSION_TOKEN: 'left over' })).toMatchObject({ blobDir: '/files', s3Credentials: undefined });
  const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(load(key).s3Credentials).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  expect(load({ ...key, AWS_SESSION_TOKEN: 'token' }).s3Credentials).toMatchObject({ sessionToken: 'token' });
});

it.each([
  [{ AWS_ACCESS_KEY_ID: 'id' }, 'AWS_SECRET_ACCESS_KEY is not set'],
  [{ AWS_SECRET_ACCESS_KEY: 'hunter2' }, 'AWS_ACCESS_KEY_ID is not set'],
  [
    { AWS_SECRET_ACCESS_KEY: 'hunter2', AWS_SECRET_ACCESS_KEY_FILE: '/x' },
    'AWS_SECRET_ACCESS_KEY and AWS_SECRET_ACCESS_KEY_FILE are both set',
  ],
])('refuses half a key, and a secret that is given twice: %j', (env, message) => {
  expect(() => load(env)).toThrow(message);
  expect(() => load(env)).not.toThrow('hunter2');
});
