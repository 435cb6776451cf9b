import { readFile } from 'node:fs/promises';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { interpolate, type ValueSources } from './interpolate.ts';
import { createLocate, type Locate } from './source-lines.ts';

/** A configuration, with the lines and the inserted values of its file. */
export interface ConfigurationFile {
  readonly configuration: PlatformConfiguration;
  readonly locate: Locate;
  /** Every text that contains values of the environment. */
  readonly filled: ReadonlySet<string>;
}

/**
 * Reads a platform's configuration from a YAML file, and inserts values of the environment.
 * @throws CodedError `configuration_invalid`; its fields are places with their lines; it contains no values except wrong names
 */
export async function readConfigurationFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  sources?: ValueSources,
): Promise<ConfigurationFile> {
  const lines = new LineCounter();
  const document = parseYaml(await read(file), file, lines);
  const locate = createLocate(document, lines, file);
  const filled = new Set<string>();
  try {
    const onFilled = (text: string): unknown => filled.add(text);
    const value = interpolate(document.toJS({ maxAliasCount: 100 }), env, { onFilled, sources });
    return { configuration: parseConfiguration(value), locate, filled };
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    const fields = error.fields.map(({ field, message, index }) => ({ field: locate(field, index), message }));
    throw new CodedError('configuration_invalid', { detail: error.message, fields, cause: error });
  }
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

/** Only the first line of the parser's message, which names the place: the excerpt below it could show a password. */
function parseYaml(text: string, file: string, lineCounter: LineCounter): Document {
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (!error) return document;
  throw new CodedError('configuration_invalid', {
    detail: `${file} is not YAML: ${error.message.split('\n', 1)[0]?.replace(/:$/u, '')}`,
  });
}
