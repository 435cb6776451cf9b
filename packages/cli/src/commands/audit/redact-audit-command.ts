import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const { method, path, responses } = redactAuditRecordsEndpoint;

/** Erases personal values of audit records on a running platform. */
export const redactAuditCommand: Command = {
  summary: 'Erases personal values of audit records; all proofs remain valid. It cannot be undone.',
  usage: '(--filter <q> | --ids <id,...>) --fields <name,...> --reason <text> [--dry-run]',
  positionals: [],
  options: {
    ...platformOptions,
    filter: { type: 'string' },
    ids: { type: 'string' },
    fields: { type: 'string' },
    reason: { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  run: async ({ values, out, env }) => {
    const { filter, ids, fields, reason } = values;
    if (typeof fields !== 'string' || typeof reason !== 'string')
      throw new UsageError('give --fields <name,...> and --reason <text>: both are recorded');
    const { records, dryRun } = await requestPlatform(
      { values, env },
      {
        method,
        path,
        body: { q: filter, ids: listOf(ids), fields: listOf(fields), reason, dryRun: values['dry-run'] === true },
        response: responses[200].body.schema,
      },
    );
    out(dryRun ? `Values of ${records} records would be erased.` : `Values of ${records} records were erased.`);
  },
};

function listOf(value: string | boolean | undefined): string[] | undefined {
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : undefined;
}
