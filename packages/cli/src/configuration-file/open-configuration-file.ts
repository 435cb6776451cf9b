import { readFile } from 'node:fs/promises';
import { parseDocument } from '@waybill/configuration/document/parse-document';
import type { Locate } from '@waybill/configuration/document/source-lines';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { isPlatformError, PlatformError } from '@waybill/platform-client/platform-error';

/** A configuration file whose text is YAML or JSON; nothing else of it was checked. */
export interface OpenedFile {
  readonly value: unknown;
  readonly locate: Locate;
  /** Runs what checks the configuration, and adds the lines of the file to its errors. */
  locating<Result>(check: () => Promise<Result>): Promise<Result>;
}

/** Reads a configuration file. @throws CodedError `configuration_invalid` */
export async function openConfigurationFile(file: string): Promise<OpenedFile> {
  const { value, locate } = parseDocument(await read(file), file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noSettings(file, value);
  const locating = async <Result>(check: () => Promise<Result>): Promise<Result> => {
    try {
      return await check();
    } catch (error) {
      throw located(error, locate);
    }
  };
  return { value, locate, locating };
}

/** Any text is YAML, so that a wrong file is found out here. The text is not shown: it could be a password. */
function noSettings(file: string, value: unknown): CodedError {
  const found = Array.isArray(value) ? 'a list' : describeScalar(value);
  const detail = `${file} is ${found}, not a configuration: give an object in YAML or JSON, such as \`actors: []\``;
  return new CodedError('configuration_invalid', { detail });
}

function describeScalar(value: unknown): string {
  return value === null ? 'empty' : 'plain text';
}

/** The error with the lines of the file, whether the check ran here or on a platform. Other errors stay as they are. */
function located(error: unknown, locate: Locate): unknown {
  if (isCodedError(error, 'configuration_invalid')) {
    const fields = error.fields.map(({ field, message, index }) => ({ field: locate(field, index), message }));
    return new CodedError('configuration_invalid', { detail: error.message, fields, cause: error });
  }
  if (!isPlatformError(error, 'configuration_invalid')) return error;
  const { message: detail, code, status, requestId, retryAfterSeconds } = error;
  const fields = error.fields.map(({ field, message, index }) => ({ field: locate(field, index), message }));
  return new PlatformError(detail, { code, status, requestId, retryAfterSeconds, fields, cause: error });
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new CodedError('configuration_invalid', {
      detail: missing ? `There is no file ${file}` : `The file ${file} cannot be read`,
      cause,
    });
  }
}
