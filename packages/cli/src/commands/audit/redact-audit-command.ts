import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, jsonOption, listOf, neededOption, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Erases personal values of audit records on a running platform. */
export const redactAuditCommand: Command = {
  summary: 'Erases personal values of audit records; all proofs remain valid. It cannot be undone.',
  examples: [
    `waybill audit redact --filter '{dataoneUser="acme"}' --fields dataoneUser,address --reason 'request of 14 March' --dry-run`,
  ],
  options: {
    ...platformOptions,
    filter: { ...textOption('filter', 'The records, by a filter such as {dataoneUser="acme"}.'), field: 'q' },
    ids: textOption('id,...', 'The records, by their ids.'),
    fields: neededOption('name,...', 'The fields whose values are erased; they are recorded.'),
    reason: neededOption('text', 'Why; it is recorded in the audit log.'),
    'dry-run': flagOption('Shows how many records would change, and changes nothing.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values } = invocation;
    const { filter: q, reason = '' } = givenTexts(values, ['filter', 'reason']);
    const fields = listOf(values, 'fields') ?? [];
    const body = { q, ids: listOf(values, 'ids'), fields, reason, dryRun: values['dry-run'] === true };
    const result = await requestPlatform(invocation, redactAuditRecordsEndpoint, { body });
    const { records, dryRun } = result;
    const done = dryRun ? `Values of ${records} records would be erased.` : `Values of ${records} records were erased.`;
    printOne(invocation, result, [done]);
  },
};
