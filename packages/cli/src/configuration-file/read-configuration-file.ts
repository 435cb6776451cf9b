import { interpolate, type ValueSources } from '@waybill/configuration/document/interpolate';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { parseStructure } from '@waybill/directory/checks/check-document';
import { openConfigurationFile, type OpenedFile } from './open-configuration-file.ts';

/** A configuration, with the lines and the inserted values of its file. */
export interface ConfigurationFile extends OpenedFile {
  readonly configuration: PlatformConfiguration;
  /** Every text that contains values of the environment. */
  readonly filled: ReadonlySet<string>;
}

/**
 * Reads a platform's configuration from a YAML file, and inserts values of the environment. Its references are not checked:
 * they may be to what other sources have.
 * @throws CodedError `configuration_invalid`; its fields are places with their lines; it contains no values except wrong names
 */
export async function readConfigurationFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  sources?: ValueSources,
): Promise<ConfigurationFile> {
  const opened = await openConfigurationFile(file);
  const filled = new Set<string>();
  const configuration = await opened.locating(async () => {
    const onFilled = (text: string): unknown => filled.add(text);
    return parseStructure(interpolate(opened.value, env, { onFilled, sources }));
  });
  return { ...opened, configuration, filled };
}
