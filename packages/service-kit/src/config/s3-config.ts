import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type Secret, secretSchema } from './secret.ts';

/** The settings of a service that uses S3. */
export const s3ConfigShape = {
  AWS_ACCESS_KEY_ID: secretSchema
    .optional()
    .describe('Access key for S3; without it the AWS SDK searches for credentials'),
  AWS_SECRET_ACCESS_KEY: secretSchema.optional().describe('Secret of the key for S3'),
  AWS_SESSION_TOKEN: secretSchema.optional().describe('Session token of the access key for S3, if it has one'),
};

/** Credentials for the S3 client. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

interface S3Config {
  AWS_ACCESS_KEY_ID?: Secret | undefined;
  AWS_SECRET_ACCESS_KEY?: Secret | undefined;
  AWS_SESSION_TOKEN?: Secret | undefined;
}

/**
 * The configured credentials for S3, if any.
 * @throws CodedError `configuration_invalid` if the key or its secret is missing
 */
export function s3CredentialsOf(config: S3Config): S3Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = config;
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined || secret === undefined) {
    const missing = key === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    const detail = `${missing} is not set: set the key for S3 together with its secret`;
    throw new CodedError('configuration_invalid', { detail });
  }
  const sessionToken = token === undefined ? {} : { sessionToken: token.reveal() };
  return { accessKeyId: key.reveal(), secretAccessKey: secret.reveal(), ...sessionToken };
}
