import { validateConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import type { Command, Invocation } from '../../command.ts';
import { readForPlatform } from '../../configuration-file/read-for-platform.ts';
import { namesPlatform } from '../../platform/asks-platform.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Checks a configuration file. */
export const validateCommand: Command = {
  summary:
    'Checks a configuration without a database. With --partial, what can be on the platform already is only listed: references to what the file does not contain, an administrator, new names. With --url or --context, a platform checks it with what it has.',
  examples: [
    'waybill validate platform.yaml',
    'waybill validate team.yaml --partial',
    'waybill validate team.yaml --context admin@127.0.0.1:9443',
  ],
  arguments: { file: 'The configuration, in YAML or JSON.' },
  options: {
    partial: flagOption('Only lists what can be on the platform already.'),
    json: jsonOption,
    ...platformOptions,
  },
  run: async (invocation) => {
    const needed = namesPlatform(invocation) ? await validateRemotely(invocation) : await checkOffline(invocation);
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

/** The checks take long to load: other commands do without them. */
async function checkOffline(invocation: Invocation): Promise<readonly FieldError[]> {
  const { validateOffline } = await import('./validate-offline.ts');
  return await validateOffline(invocation);
}
