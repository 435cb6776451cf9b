import { validateConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { checkReferences } from '@waybill/directory/checks/check-document';
import type { Command, Invocation } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';
import { readForPlatform } from '../../configuration-file/read-for-platform.ts';
import { namesPlatform } from '../../platform/asks-platform.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Checks a configuration file. */
export const validateCommand: Command = {
  summary:
    'Checks a configuration without a database. With --partial, references to what the file does not contain are only listed. With --url or --context, a platform checks it with what it has.',
  usage: '<file> [--partial]',
  examples: [
    'waybill validate platform.yaml',
    'waybill validate team.yaml --partial',
    'waybill validate team.yaml --context admin@127.0.0.1:9443',
  ],
  positionals: ['file'],
  options: { partial: flagOption, ...platformOptions },
  run: async (invocation) => {
    await (namesPlatform(invocation) ? validateRemotely(invocation) : validateOffline(invocation));
    invocation.out('The configuration is valid.');
  },
};

async function validateRemotely(invocation: Invocation): Promise<void> {
  const { body, locating } = await readForPlatform(invocation);
  await locating(async () => {
    const { errors } = await requestPlatform(invocation, validateConfigurationEndpoint, { body });
    if (errors.length > 0) throw new CodedError('configuration_invalid', { fields: errors });
  });
}

async function validateOffline({ positionals: [file = ''], values, env, out }: Invocation): Promise<void> {
  const { configuration, locating } = await readConfigurationFile(file, env);
  try {
    await locating(async () => checkReferences(configuration, []));
  } catch (error) {
    if (values['partial'] !== true || !isCodedError(error, 'configuration_invalid')) throw error;
    for (const { field, message } of error.fields) out(`? ${field}: ${message}`);
    out('What is listed above has to be on the platform already.');
  }
}
