import { issueFirstPasswordCodeEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { addressOfPlatform } from '../../platform/target.ts';
import { describeCode } from '../configuration/describe-code.ts';

/** Issues a code for the first password of a manager user, over the API. */
export const issueFirstPasswordCodeCommand: Command = {
  summary:
    'Issues a code with which a manager user without a password sets a first one: for one whose code was lost. Earlier codes no longer work.',
  examples: ['waybill managers first-password lena'],
  arguments: { manager: 'The name of the manager user.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    const issued = await requestPlatform(invocation, issueFirstPasswordCodeEndpoint, { params: { name } });
    printOne(invocation, issued, describeCode(issued, await addressOfPlatform(invocation)));
  },
};
