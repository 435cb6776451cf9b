import type { FieldError } from '@waybill/contracts/errors/coded-error';
import {
  checkOffline,
  checkPart,
  faultsOfSoundOffline,
  faultsOfSoundPart,
  refuseFaults,
} from '@waybill/directory/checks/check-document';
import type { Invocation } from '../../command.ts';
import { readConfigurationFile } from '../../configuration-file/read-configuration-file.ts';

/** What the file refers to, and the platform has to have, with `--partial`. @throws CodedError `configuration_invalid` */
export async function validateOffline({
  positionals: [file = ''],
  values,
  env,
}: Invocation): Promise<readonly FieldError[]> {
  const isPartial = values['partial'] === true;
  const { configuration, locate, locating } = await readConfigurationFile(file, env, {
    findFaults: async (sound) => (isPartial ? faultsOfSoundPart(sound) : faultsOfSoundOffline(sound)),
  });
  if (!isPartial) {
    await locating(async () => checkOffline(configuration));
    return [];
  }
  const { errors, needed } = checkPart(configuration);
  await locating(async () => refuseFaults(errors));
  return needed.map(({ field, message }) => ({ field: locate(field), message }));
}
