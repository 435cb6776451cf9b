import { resetSecondFactorEndpoint } from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Removes the second factor of a manager user, over the API. */
export const resetManagerSecondFactorCommand: Command = {
  summary:
    'Removes the second factor of a manager user, who has lost the app and the recovery codes. If no administrator can log in, ' +
    'run `waybill recover-second-factor` on the server.',
  examples: ['waybill managers reset-second-factor lena'],
  arguments: { manager: 'The name of the manager user.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    await requestPlatform(invocation, resetSecondFactorEndpoint, { params: { name } });
    printOne(invocation, { name, removed: true }, [`The second factor of ${name} was removed`]);
  },
};
