import { storeAcceptedAnchors } from '@waybill/audit/anchors/accepted-anchors-file';
import { type ReadAnchor, readAnchors } from '@waybill/audit/anchors/read-anchors';
import { readRemembered, storeAcceptedRestore } from '@waybill/audit/checkpoint-file';
import { checkpointFileOf, configSchema } from '@waybill/audit/config';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { s3ConfigShape, s3CredentialsOf } from '@waybill/service-kit/config/s3-config';
import { z } from 'zod';
import { type Command, type Invocation, operatorName, UsageError } from '../../command.ts';
import { withDatabase } from '../../database/with-database.ts';
import { neededOption } from '../../platform/option-values.ts';

const settingsSchema = z.object({
  AUDIT_SIGNING_KEY_FILE: configSchema.shape.AUDIT_SIGNING_KEY_FILE,
  AUDIT_CHECKPOINT_FILE: configSchema.shape.AUDIT_CHECKPOINT_FILE,
  AUDIT_ANCHORS: configSchema.shape.AUDIT_ANCHORS,
  ...s3ConfigShape,
});

/** Lets the audit service continue from a database that was restored. The service records it. */
export const acceptRestoreCommand: Command = {
  summary: 'Lets the audit log continue from a restored database, which has fewer or other records than were signed.',
  examples: [`waybill audit accept-restore --reason 'restored the backup of 3 March'`],
  options: { reason: neededOption('text', 'Why; it is recorded in the audit log.') },
  run: async (invocation) => {
    const { reason } = invocation.values;
    const { env, out } = invocation;
    if (typeof reason !== 'string' || reason.trim() === '') throw new UsageError('--reason is empty: it is recorded');
    const settings = loadConfig(settingsSchema, env);
    const file = checkpointFileOf(settings);
    const decision = { user: operatorName(), reason, acceptedAt: new Date().toISOString() };
    const remembered = await readOrRefuse(file);
    const credentials = s3CredentialsOf(settings);
    const note = remembered?.note ?? (await storedCheckpoint(invocation, settings.AUDIT_ANCHORS));
    const read = await readAnchors(settings.AUDIT_ANCHORS, { credentials, note });
    const states = read.flatMap(({ anchor, state }) => (state ? [{ anchor, state }] : []));
    if (states.length > 0) await storeAcceptedAnchors(file, { ...decision, states });
    for (const anchor of read) describe(anchor, out);
    if (remembered) await storeAcceptedRestore(file, { ...decision, checkpoint: remembered.note });
    else if (states.length === 0) {
      out(`${file} does not exist: the audit service continues from any database. Nothing has to be accepted.`);
      return;
    }
    const signed = remembered?.checkpoint;
    const known = signed ? `${signed.size} records of ${signed.origin} were signed. ` : '';
    out(`${known}The audit service continues from the state of its database, and records this decision.`);
  },
};

function describe({ anchor, state, error }: ReadAnchor, out: Invocation['out']): void {
  if (state?.fault !== undefined) out(`${anchor} ${state.fault}`);
  else if (state) out(`${anchor} remembers ${state.size} records`);
  else if (error === undefined) out(`${anchor} remembers nothing, or was not asked`);
  else out(`${anchor} cannot be read, repeat this command when it can be: ${error}`);
}

/** Witnesses are asked with a checkpoint of the log: without a remembered one with that of the database. */
async function storedCheckpoint(
  invocation: Invocation,
  anchors: readonly { readonly kind: string }[],
): Promise<string | undefined> {
  if (!anchors.some(({ kind }) => kind === 'witness')) return undefined;
  return withDatabase(invocation, async (db) => {
    const { rows } = await db.raw<{ rows: { checkpoint: string }[] }>('SELECT checkpoint FROM audit.tree_head');
    return rows[0]?.checkpoint;
  });
}

async function readOrRefuse(file: string) {
  try {
    return await readRemembered(file);
  } catch (cause) {
    throw new CodedError('configuration_invalid', { detail: cause instanceof Error ? cause.message : file, cause });
  }
}
