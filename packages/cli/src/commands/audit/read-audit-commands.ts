import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { followAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/follow-audit-records';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { type AuditRecord, auditRecordSchema } from '@waybill/contracts/values/audit-record';
import { followEvents } from '@waybill/platform-client/events/follow-events';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, countOf, jsonOption, textOption } from '../../platform/option-values.ts';
import { pagePrinter } from '../../platform/print-rows.ts';
import { printable, printableLines } from '../../platform/render-table.ts';

const pageSize = 1_000;
const formats = ['ndjson', 'csv', 'cef', 'ocsf'] as const;
const usualFormat = 'ndjson';
const exportTimeoutMs = 600_000;

const filterOption = {
  ...textOption('filter', 'Only records that match this filter, such as {auditOperation="SERVER_LOGIN"}.'),
  field: 'q',
};

/** Lists audit records. */
export const queryAuditCommand: Command = {
  summary:
    'Lists audit records, newest first: 50, or as many as `--limit` says. `audit show` shows one with its context.',
  examples: [
    `waybill audit query --filter '{auditOperation="SERVER_UPLOAD_FILE",dataoneUser="acme"}'`,
    `waybill audit query --filter '{entityName^="/inbox/"}' --limit 100000 --json > records.ndjson`,
  ],
  options: {
    ...platformOptions,
    filter: filterOption,
    limit: { ...textOption('number', 'How many are listed at most.'), usual: '50' },
    json: jsonOption,
  },
  run: async (invocation) => {
    let left = countOf(invocation.values, 'limit');
    await using client = await openPlatform(invocation, { side: 'manager' });
    const print = pagePrinter<AuditRecord>(invocation, [
      ['TIME', ({ auditTime }) => auditTime],
      ['CODE', ({ auditCode }) => auditCode],
      ['USER', ({ dataoneUser }) => dataoneUser],
      ['ID', ({ id }) => id],
      ['MESSAGE', ({ auditMessage }) => auditMessage],
    ]);
    for (let cursor: string | undefined; left > 0;) {
      const limit = String(Math.min(left, pageSize));
      const query = {
        page: '0',
        limit,
        sort: '-auditTime',
        ...filterOf(invocation),
        ...(cursor !== undefined && { cursor }),
      };
      const answer = await client.call(listAuditRecordsEndpoint, { query, signal: invocation.interruption?.() });
      print(answer.body);
      left -= answer.body.length;
      cursor = answer.headers['x-next-cursor'];
      if (cursor === undefined) return;
    }
  },
};

/** Prints audit records as they are recorded. */
export const tailAuditCommand: Command = {
  summary: 'Prints audit records as they are recorded, until it is interrupted. None is lost when the connection is.',
  examples: ['waybill audit tail', `waybill audit tail --filter '{auditOperation="SERVER_LOGIN"}' --json`],
  options: {
    ...platformOptions,
    filter: filterOption,
    json: jsonOption,
  },
  run: async (invocation) => {
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager' });
    const request = { query: filterOf(invocation) };
    for await (const { event, data } of followEvents(client, followAuditRecordsEndpoint, request, { signal })) {
      if (event === 'reset') invocation.err('The log does not have the last record any longer: it was restored.');
      if (event !== 'record') continue;
      invocation.out(invocation.values['json'] === true ? data : describe(auditRecordSchema.parse(JSON.parse(data))));
    }
    signal?.throwIfAborted();
  },
};

function describe({ auditTime, auditCode, dataoneUser, auditMessage }: AuditRecord): string {
  return printable(`${auditTime}  ${auditCode}  ${dataoneUser}  ${auditMessage}`);
}

/** Exports the audit log. */
export const exportAuditCommand: Command = {
  summary:
    'Exports the audit log, to standard output or a file. An export as NDJSON without a filter can be verified with `waybill audit verify`.',
  examples: ['waybill audit export --file audit.ndjson', 'waybill audit export --format csv | gzip > audit.csv.gz'],
  options: {
    ...platformOptions,
    format: { ...choiceOption('format', formats, 'The format of the export.'), usual: usualFormat },
    filter: filterOption,
    file: textOption('file', 'The file for the export; standard output if it is left out.'),
  },
  run: async (invocation) => {
    const { values, output } = invocation;
    const signal = invocation.interruption?.();
    const { file } = values;
    const query = { format: choiceOf(values, 'format', formats) ?? usualFormat, ...filterOf(invocation) };
    await using client = await openPlatform(invocation, { side: 'manager', timeoutMs: exportTimeoutMs });
    const { body } = await client.call(exportAuditRecordsEndpoint, { query, signal });
    const ending = signal ? { signal } : {};
    if (typeof file !== 'string') {
      if (!output) throw new UsageError('give --file <file>');
      const shown = output.isTTY === true ? printableLines(body) : body;
      await pipeline(shown, output, { end: false, ...ending });
      return;
    }
    // A file of this name is complete.
    const draft = `${file}.part`;
    try {
      await pipeline(body, createWriteStream(draft, { mode: 0o600 }), ending);
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    invocation.out(`The audit log is in ${file}`);
  },
};

function filterOf({ values: { filter } }: Invocation): { q?: string } {
  return typeof filter === 'string' ? { q: filter } : {};
}
