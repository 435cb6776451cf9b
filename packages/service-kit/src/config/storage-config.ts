import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import { type Secret, secretSchema } from './secret.ts';
import { listSchema } from './value-schemas.ts';

/** The settings of a service that stores files. */
export const storageConfigShape = {
  BLOB_DIR: z.string().describe('Folder of the stored files, shared by all services of a platform'),
  AWS_ACCESS_KEY_ID: secretSchema
    .optional()
    .describe('Access key for files in S3; without it the AWS SDK searches for credentials'),
  AWS_SECRET_ACCESS_KEY: secretSchema.optional().describe('Secret of the key for files in S3'),
  AWS_SESSION_TOKEN: secretSchema.optional().describe('Session token of the access key for files in S3, if it has one'),
  TEMPORARY_NAMES: listSchema
    .default(['*.filepart', '*.partial', '*.part', '*.tmp', '.in.*'])
    .describe(
      'Temporary names of files, separated by commas, with `*` for any characters: such a file starts no contract until it is renamed; `.*` adds all names that begin with a dot; the same for all services of a platform',
    ),
};

/** Credentials for the S3 client. */
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
  TEMPORARY_NAMES: readonly string[];
}

/** What a filebox needs of the configuration. */
export interface StorageSettings {
  blobDir: string;
  s3Credentials: S3Credentials | undefined;
  temporaryNames: readonly string[];
}

/**
 * The folder of files, the configured credentials for S3, if any, and the patterns of temporary names.
 * @throws CodedError `configuration_invalid` if the key or its secret is missing
 */
export function storageOf(config: StorageConfig): StorageSettings {
  const { BLOB_DIR: blobDir, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = config;
  const { TEMPORARY_NAMES: temporaryNames } = config;
  if (key === undefined && secret === undefined) return { blobDir, temporaryNames, s3Credentials: undefined };
  if (key === undefined || secret === undefined) {
    const missing = key === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    const detail = `${missing} is not set: set the key for S3 together with its secret`;
    throw new CodedError('configuration_invalid', { detail });
  }
  const sessionToken = token === undefined ? {} : { sessionToken: token.reveal() };
  return {
    blobDir,
    temporaryNames,
    s3Credentials: { accessKeyId: key.reveal(), secretAccessKey: secret.reveal(), ...sessionToken },
  };
}
