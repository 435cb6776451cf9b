import { type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { checkOffline } from '@waybill/directory/checks/check-document';
import type { Invocation } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';

/** What the file refers to, and the platform has to have, with `--partial`. */
export async function validateOffline({
  positionals: [file = ''],
  values,
  env,
}: Invocation): Promise<readonly FieldError[]> {
  const { configuration, locating } = await readConfigurationFile(file, env);
  try {
    await locating(async () => checkOffline(configuration));
    return [];
  } catch (error) {
    if (values['partial'] !== true || !isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields;
  }
}
