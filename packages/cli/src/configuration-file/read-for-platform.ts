import { basename } from 'node:path';
import { interpolate } from '@waybill/configuration/document/interpolate';
import type { Warning } from '@waybill/configuration/document/warning';
import type { DocumentRequest } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { Invocation } from '../command.ts';
import { textOption } from '../platform/option-values.ts';
import { findMisnamedVariables, type Reference } from './misnamed-variables.ts';
import { openConfigurationFile, type OpenedFile } from './open-configuration-file.ts';

/** The option that names variables whose values are defaults. */
export const defaultsOption = {
  'as-defaults': textOption('variable,...', 'Variables whose values set first passwords only, and never replace one.'),
} as const;

/** A configuration file for a platform that checks it. */
export interface FileForPlatform extends OpenedFile {
  /** The body of a request: the document with its references to the environment, and their values. */
  readonly body: DocumentRequest;
  /** Warnings about variables of the environment. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads the file of a command for a platform. Only the variables that it names are sent.
 * @throws CodedError `configuration_invalid`, also for variables that are not set
 */
export async function readForPlatform({ positionals, values, env }: Invocation): Promise<FileForPlatform> {
  const file = positionals[0] ?? '';
  const opened = await openConfigurationFile(file);
  const references: Reference[] = [];
  await opened.locating(async () =>
    interpolate(opened.value, env, {
      sources: {
        defaults: new Set(),
        used: () => {},
        referred: (place, variable, isGiven) => references.push({ place, variable, isGiven }),
      },
    }),
  );
  const given = new Set(references.filter(({ isGiven }) => isGiven).map(({ variable }) => variable));
  const entries = [...given].map((name): [string, string] => [name, String(interpolate(`\${${name}}`, env))]);
  const defaults = String(values['as-defaults'] ?? '').split(',');
  const body = {
    file: basename(file),
    document: JSON.stringify(opened.value),
    variables: Object.fromEntries(entries),
    defaults: defaults.filter((name) => name !== ''),
  };
  return { ...opened, body, warnings: findMisnamedVariables(references, env) };
}
