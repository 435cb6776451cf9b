import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, listOf, textOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Erases personal values of audit records on a running platform. */
export const redactAuditCommand: Command = {
  summary: 'Erases personal values of audit records; all proofs remain valid. It cannot be undone.',
  usage: '(--filter <q> | --ids <id,...>) --fields <name,...> --reason <text> [--dry-run]',
  examples: [
    `waybill audit redact --filter '{dataoneUser="acme"}' --fields dataoneUser,address --reason 'request of 14 March' --dry-run`,
  ],
  positionals: [],
  options: {
    ...platformOptions,
    filter: textOption,
    ids: textOption,
    fields: textOption,
    reason: textOption,
    'dry-run': flagOption,
  },
  run: async ({ values, out, env }) => {
    const { filter: q, reason } = givenTexts(values, ['filter', 'reason']);
    const fields = listOf(values, 'fields');
    if (fields === undefined || reason === undefined)
      throw new UsageError('give --fields <name,...> and --reason <text>: both are recorded');
    const body = { q, ids: listOf(values, 'ids'), fields, reason, dryRun: values['dry-run'] === true };
    const { records, dryRun } = await requestPlatform({ values, env }, redactAuditRecordsEndpoint, { body });
    out(dryRun ? `Values of ${records} records would be erased.` : `Values of ${records} records were erased.`);
  },
};
