import { release } from '@waybill/platform-client/requests/release';
import type { Command } from '../../command.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';

/** Shows which release this is. */
export const versionCommand: Command = {
  summary: 'Shows the release of this program. `waybill --version` is the same.',
  examples: ['waybill version'],
  options: { json: jsonOption },
  run: async (invocation) => printOne(invocation, { version: release }, [`waybill ${release}`]),
};
