import { readRemembered, storeAcceptedRestore } from '@waybill/audit/checkpoint-file';
import { checkpointFileOf, configSchema } from '@waybill/audit/config';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { z } from 'zod';
import { type Command, operatorName, UsageError } from '../command.ts';

const settingsSchema = z.object({
  AUDIT_SIGNING_KEY_FILE: configSchema.shape.AUDIT_SIGNING_KEY_FILE,
  AUDIT_CHECKPOINT_FILE: configSchema.shape.AUDIT_CHECKPOINT_FILE,
});

/** Lets the audit service continue from a database that was restored. The service records it. */
export const acceptRestoreCommand: Command = {
  summary: 'Lets the audit log continue from a restored database, which has fewer or other records than were signed.',
  usage: '--reason <text>',
  positionals: [],
  options: { reason: { type: 'string' } },
  run: async ({ env, out, values: { reason } }) => {
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError('give --reason <text>: it is recorded');
    const file = checkpointFileOf(loadConfig(settingsSchema, env));
    const remembered = await readOrRefuse(file);
    if (!remembered) {
      out(`${file} does not exist: the audit service continues from any database. Nothing has to be accepted.`);
      return;
    }
    const { note: checkpoint } = remembered;
    const { size, origin } = remembered.checkpoint;
    await storeAcceptedRestore(file, {
      checkpoint,
      user: operatorName(),
      reason,
      acceptedAt: new Date().toISOString(),
    });
    out(
      `${size} records of ${origin} were signed. The audit service continues from the state of its database, and records this decision.`,
    );
  },
};

async function readOrRefuse(file: string) {
  try {
    return await readRemembered(file);
  } catch (cause) {
    throw new CodedError('configuration_invalid', { detail: cause instanceof Error ? cause.message : file, cause });
  }
}
