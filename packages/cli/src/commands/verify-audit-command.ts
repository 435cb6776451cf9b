import { runVerifier } from '@waybill/audit-verifier/verify-audit-log';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type Command, UsageError } from '../command.ts';

/** Verifies the audit log with the independent verifier, which auditors can run without this program. */
export const verifyAuditCommand: Command = {
  summary: 'Verifies the audit log: an export, or that of a running platform.',
  usage:
    '[--archive <file>] --file <export> | --url <platform> --token <file> [--keys <file>] [--since <checkpoint>] [--save <checkpoint>] [--witness <keys> [--witnesses-needed <number>]]',
  positionals: [],
  options: {
    archive: { type: 'string' },
    file: { type: 'string' },
    url: { type: 'string' },
    keys: { type: 'string' },
    token: { type: 'string' },
    since: { type: 'string' },
    save: { type: 'string' },
    witness: { type: 'string' },
    'witnesses-needed': { type: 'string' },
  },
  run: async ({ values, out }) => {
    const findings = await runVerifier(values, out).catch((error: unknown) => {
      throw new UsageError(error instanceof Error ? error.message : String(error));
    });
    if (findings > 0) throw new CodedError('audit_log_altered');
  },
};
