import { validateConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { CodedError, type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { checkOffline } from '@waybill/directory/checks/check-document';
import type { Command, Invocation } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';
import { readForPlatform } from '../../configuration-file/read-for-platform.ts';
import { namesPlatform } from '../../platform/asks-platform.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Checks a configuration file. */
export const validateCommand: Command = {
  summary:
    'Checks a configuration without a database. With --partial, references to what the file does not contain are only listed. With --url or --context, a platform checks it with what it has.',
  usage: '<file> [--partial] [--json]',
  examples: [
    'waybill validate platform.yaml',
    'waybill validate team.yaml --partial',
    'waybill validate team.yaml --context admin@127.0.0.1:9443',
  ],
  positionals: ['file'],
  options: { partial: flagOption, json: flagOption, ...platformOptions },
  run: async (invocation) => {
    const needed = namesPlatform(invocation) ? await validateRemotely(invocation) : await validateOffline(invocation);
    const lines = needed.map(({ field, message }) => `? ${field}: ${message}`);
    if (lines.length > 0) lines.push('What is listed above has to be on the platform already.');
    printOne(invocation, { valid: true, needed }, [...lines.map(printable), 'The configuration is valid.']);
  },
};

async function validateRemotely(invocation: Invocation): Promise<readonly FieldError[]> {
  const { body, locating } = await readForPlatform(invocation);
  await locating(async () => {
    const { errors } = await requestPlatform(invocation, validateConfigurationEndpoint, { body });
    if (errors.length > 0) throw new CodedError('configuration_invalid', { fields: errors });
  });
  return [];
}

/** What the file refers to, and the platform has to have, with `--partial`. */
async function validateOffline({ positionals: [file = ''], values, env }: Invocation): Promise<readonly FieldError[]> {
  const { configuration, locating } = await readConfigurationFile(file, env);
  try {
    await locating(async () => checkOffline(configuration));
    return [];
  } catch (error) {
    if (values['partial'] !== true || !isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields;
  }
}
