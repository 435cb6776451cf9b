import { runVerifier } from '@waybill/audit-verifier/verify-audit-log';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption, textOption } from '../../platform/option-values.ts';

const timeoutMs = 600_000;

/** Verifies the audit log with the independent verifier, which auditors can run without this program. */
export const verifyAuditCommand: Command = {
  summary: 'Verifies the audit log: an export, or without `--file` and `--archive` that of the platform.',
  examples: [
    'waybill audit verify',
    'waybill audit verify --file audit.ndjson --keys keys.txt --since kept.txt',
    'waybill audit verify --archive archive-1.ndjson --archive archive-2.ndjson --file audit.ndjson',
  ],
  options: {
    ...platformOptions,
    archive: {
      ...textOption('file', 'An archive before the export; give it several times for several, oldest first.'),
      isRepeatable: true,
    },
    file: textOption('export', 'An export as NDJSON; without it, and without --archive, the log of the platform.'),
    keys: textOption('file', 'The file with the public keys that are trusted; without it, those in the export.'),
    since: textOption('checkpoint', 'A file with a checkpoint that was kept: the log must continue it.'),
    save: textOption('checkpoint', 'The file in which the last checkpoint is kept, for --since.'),
    witness: textOption('keys', 'The file with the verifier keys of witnesses that must have cosigned.'),
    'witnesses-needed': textOption('number', 'How many of the witnesses must have cosigned.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    if (!readsPlatform(invocation)) return await verify(invocation);
    if (invocation.values['file'] !== undefined) throw new UsageError('give either --file or a platform');
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager', timeoutMs });
    const { body } = await client.call(exportAuditRecordsEndpoint, { query: { format: 'ndjson' }, signal });
    await verify(invocation, body);
  },
};

/** Archives alone are verified without a platform, unless one is named. */
function readsPlatform({ values: { url, context, file }, lists: { archive } }: Invocation): boolean {
  return url !== undefined || context !== undefined || (archive === undefined && file === undefined);
}

async function verify(invocation: Invocation, exported?: AsyncIterable<Uint8Array>): Promise<void> {
  const { values, lists, out } = invocation;
  const { json, ...settings } = values;
  const report: string[] = [];
  const print = json === true ? (line: string) => report.push(line) : out;
  const exitCode = await runVerifier({ ...settings, ...lists }, print, exported).catch((error: unknown) => {
    if (isPlatformError(error) || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  });
  if (json === true) out(JSON.stringify({ valid: exitCode === 0, report }));
  if (exitCode > 0) throw new CodedError('audit_log_altered');
}
