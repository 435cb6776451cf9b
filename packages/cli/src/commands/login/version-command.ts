import { releaseVersion } from '@waybill/contracts/values/release-version';
import type { Command } from '../../command.ts';
import { flagOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';

/** Shows which release this is. */
export const versionCommand: Command = {
  summary: 'Shows the release of this program. `waybill --version` is the same.',
  usage: '[--json]',
  examples: ['waybill version'],
  positionals: [],
  options: { json: flagOption },
  run: async (invocation) => printOne(invocation, { version: releaseVersion }, [`waybill ${releaseVersion}`]),
};
