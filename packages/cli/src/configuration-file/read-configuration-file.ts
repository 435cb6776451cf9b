import { interpolate, type ValueSources } from '@waybill/configuration/document/interpolate';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { type FindFaults, parseStructureAnd } from '@waybill/directory/checks/check-document';
import { openConfigurationFile, type OpenedFile } from './open-configuration-file.ts';

/** A configuration, with the lines and the inserted values of its file. */
export interface ConfigurationFile extends OpenedFile {
  readonly configuration: PlatformConfiguration;
  /** Every text that contains values of the environment. */
  readonly filled: ReadonlySet<string>;
}

/** How a file is read. */
export interface FileReading {
  readonly sources?: ValueSources;
  readonly findFaults?: FindFaults;
}

/**
 * Reads a platform's configuration from a YAML file, and inserts values of the environment. Its references are not checked:
 * they may be to what other sources have.
 * @throws CodedError `configuration_invalid`; its fields are places with their lines; it contains no values except wrong names
 */
export async function readConfigurationFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  { sources, findFaults = async () => [] }: FileReading = {},
): Promise<ConfigurationFile> {
  const opened = await openConfigurationFile(file);
  const filled = new Set<string>();
  const configuration = await opened.locating(async () => {
    const onFilled = (text: string): unknown => filled.add(text);
    return await parseStructureAnd(findFaults, interpolate(opened.value, env, { onFilled, sources }));
  });
  return { ...opened, configuration, filled };
}
