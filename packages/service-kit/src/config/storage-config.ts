import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import { type Secret, secretSchema } from './secret.ts';

/** For a service that stores files. */
export const storageConfigShape = {
  BLOB_DIR: z.string().describe('Folder of the stored files; every service of a platform sees the same one'),
  AWS_ACCESS_KEY_ID: secretSchema
    .optional()
    .describe('Key for files in S3; without it the credentials are found as the AWS SDK finds them'),
  AWS_SECRET_ACCESS_KEY: secretSchema.optional().describe('Secret of the key for files in S3'),
  AWS_SESSION_TOKEN: secretSchema.optional().describe('Session token of the key for files in S3, where it has one'),
};

/** Credentials for S3, as its client takes them. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

interface StorageConfig {
  BLOB_DIR: string;
  AWS_ACCESS_KEY_ID?: Secret | undefined;
  AWS_SECRET_ACCESS_KEY?: Secret | undefined;
  AWS_SESSION_TOKEN?: Secret | undefined;
}

/**
 * Where files are, and the credentials for S3 when the settings have some.
 * @throws CodedError `configuration_invalid` when a key has no secret, or the reverse
 */
export function storageOf(config: StorageConfig): { blobDir: string; s3Credentials: S3Credentials | undefined } {
  const { BLOB_DIR: blobDir, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = config;
  if (key === undefined && secret === undefined) return { blobDir, s3Credentials: undefined };
  if (key === undefined || secret === undefined) {
    const missing = key === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    const detail = `${missing} is not set: the key for S3 and its secret are set together`;
    throw new CodedError('configuration_invalid', { detail });
  }
  const sessionToken = token === undefined ? {} : { sessionToken: token.reveal() };
  return {
    blobDir,
    s3Credentials: { accessKeyId: key.reveal(), secretAccessKey: secret.reveal(), ...sessionToken },
  };
}
