import { runVerifier } from '@waybill/audit-verifier/verify-audit-log';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption } from '../../platform/option-values.ts';

const timeoutMs = 600_000;

/** Verifies the audit log with the independent verifier, which auditors can run without this program. */
export const verifyAuditCommand: Command = {
  summary: 'Verifies the audit log: an export, or without `--file` and `--archive` that of the platform.',
  usage:
    '[--archive <file>]... [--file <export>] [--keys <file>] [--since <checkpoint>] [--save <checkpoint>] [--witness <keys> [--witnesses-needed <number>]] [--json]',
  examples: [
    'waybill audit verify',
    'waybill audit verify --file audit.ndjson --keys keys.txt --since kept.txt',
    'waybill audit verify --archive archive-1.ndjson --archive archive-2.ndjson --file audit.ndjson',
  ],
  positionals: [],
  options: {
    ...platformOptions,
    archive: { type: 'string', multiple: true },
    file: { type: 'string' },
    keys: { type: 'string' },
    since: { type: 'string' },
    save: { type: 'string' },
    witness: { type: 'string' },
    'witnesses-needed': { type: 'string' },
    json: flagOption,
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
