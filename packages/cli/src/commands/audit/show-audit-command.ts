import { text } from 'node:stream/consumers';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { auditRecordSchema } from '@waybill/contracts/values/audit-record';
import { z } from 'zod';
import { type Command, CommandFailed, UsageError } from '../../command.ts';
import { describeDifference } from '../../configuration/describe-difference.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { layOut } from '../../platform/render-table.ts';

const { shape } = auditRecordSchema;

/** A line of an export, which has all that is recorded. */
const exportedSchema = z.looseObject({
  ...auditRecordSchema.pick({ id: true, auditTime: true }).shape,
  context: z.record(z.string(), z.unknown()).optional(),
});

/** A recorded difference: the values by their places. */
const differenceSchema = z.object({
  before: z.record(z.string(), z.unknown()).default({}),
  after: z.record(z.string(), z.unknown()).default({}),
  omitted: z.int().default(0),
});

/** Shows one audit record, with all that is recorded. */
export const showAuditCommand: Command = {
  summary:
    'Shows an audit record as it is exported, with its context: the address, the reason, and the settings that were changed. `audit query` shows the ids.',
  examples: [
    'waybill audit show 019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f',
    'waybill audit show 019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f --json | jq -r .context.difference',
  ],
  arguments: { record: 'The id of the record.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const [id = ''] = invocation.positionals;
    if (!z.uuid().safeParse(id).success)
      throw new UsageError('give the whole id of a record, as `audit query` shows it');
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = { format: 'ndjson', q: `{id="${id.toLowerCase()}"}` } as const;
    const { body } = await client.call(exportAuditRecordsEndpoint, { query, signal });
    const [line = ''] = (await text(body)).split('\n');
    const record = exportedSchema.safeParse(JSON.parse(line));
    // The last line of an export is no record.
    if (!record.success) throw new CommandFailed(`there is no audit record ${id}; \`waybill audit query\` lists them`);
    printOne(invocation, record.data, describeRecord(record.data));
  },
};

function describeRecord({ context = {}, ...record }: z.infer<typeof exportedSchema>): string[] {
  const { difference, ...circumstances } = context;
  const shown = Object.keys(shape).flatMap((name) => rowOf(name, record[name]));
  const rows = [...shown, ...Object.entries(circumstances).flatMap(([name, value]) => rowOf(name, value))];
  return [...layOut(rows).lines, ...describeRecorded(difference)];
}

function rowOf(name: string, value: unknown): string[][] {
  if (value === undefined || value === null || value === '') return [];
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
}

/** The settings that were changed. Their values have no secrets any more. */
function describeRecorded(difference: unknown): string[] {
  if (typeof difference !== 'string') return [];
  const { before, after, omitted } = differenceSchema.parse(JSON.parse(difference));
  const places = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lines = places.map((place) =>
    describeDifference({ place, before: before[place], after: after[place] }, new Set()),
  );
  const more = omitted === 0 ? [] : [`and ${omitted} more, which were not recorded`];
  return ['difference', ...layOut([...lines, ...more].map((line) => ['', line])).lines];
}
