import { type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { checkOffline, faultsOfSoundOffline } from '@waybill/directory/checks/check-document';
import type { Invocation } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';

/** What the file refers to, and the platform has to have, with `--partial`. */
export async function validateOffline({
  positionals: [file = ''],
  values,
  env,
}: Invocation): Promise<readonly FieldError[]> {
  const isPartial = values['partial'] === true;
  const { configuration, locating } = await readConfigurationFile(file, env, {
    // Of a part, what it refers to may be elsewhere.
    ...(!isPartial && { findFaults: async (sound) => faultsOfSoundOffline(sound) }),
  });
  try {
    await locating(async () => checkOffline(configuration));
    return [];
  } catch (error) {
    if (!isPartial || !isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields;
  }
}
