import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, listOf, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Erases personal values of audit records on a running platform. */
export const redactAuditCommand: Command = {
  summary: 'Erases personal values of audit records; all proofs remain valid. It cannot be undone.',
  usage: '(--filter <q> | --ids <id,...>) --fields <name,...> --reason <text> [--dry-run] [--json]',
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
    json: flagOption,
  },
  run: async (invocation) => {
    const { values } = invocation;
    const { filter: q, reason } = givenTexts(values, ['filter', 'reason']);
    const fields = listOf(values, 'fields');
    if (fields === undefined || reason === undefined)
      throw new UsageError('give --fields <name,...> and --reason <text>: both are recorded');
    const body = { q, ids: listOf(values, 'ids'), fields, reason, dryRun: values['dry-run'] === true };
    const result = await requestPlatform(invocation, redactAuditRecordsEndpoint, { body });
    const { records, dryRun } = result;
    const done = dryRun ? `Values of ${records} records would be erased.` : `Values of ${records} records were erased.`;
    printOne(invocation, result, [done]);
  },
};
