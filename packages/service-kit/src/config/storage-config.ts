import { z } from 'zod';
import { type S3Credentials, s3ConfigShape, s3CredentialsOf } from './s3-config.ts';
import { listSchema } from './value-schemas.ts';

/** The settings of a service that stores files. */
export const storageConfigShape = {
  BLOB_DIR: z.string().describe('Folder of the stored files, shared by all services of a platform'),
  ...s3ConfigShape,
  TEMPORARY_NAMES: listSchema
    .default(['*.filepart', '*.partial', '*.part', '*.tmp', '.in.*'])
    .describe(
      'Temporary names of files, separated by commas, with `*` for any characters: such a file starts no contract until it is renamed; `.*` adds all names that begin with a dot; the same for all services of a platform',
    ),
};

type StorageConfig = Parameters<typeof s3CredentialsOf>[0] & {
  BLOB_DIR: string;
  TEMPORARY_NAMES: readonly string[];
};

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
  const { BLOB_DIR: blobDir, TEMPORARY_NAMES: temporaryNames } = config;
  return { blobDir, temporaryNames, s3Credentials: s3CredentialsOf(config) };
}
