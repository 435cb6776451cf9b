import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import type { Queryable } from '@waybill/postgres/database';
import { z } from 'zod';
import { queryRows } from '../queries/query-rows.ts';
import { plannedEffectSchema } from './planned-effect.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** How long a plan can be applied, and how long applying it again returns the same answer. */
const keptHours = 24;
/** Plans of one source that are kept: the oldest ones go first. */
const keptPlans = 20;

const hashesSchema = z.array(z.tuple([z.string(), z.string().nullable()]));

/** What applying a plan needs. Its configuration has no passwords. */
const contentSchema = z.object({
  configuration: platformConfigurationSchema,
  hashes: z.object({ manager: hashesSchema, partner: hashesSchema }),
  filled: z.array(z.string()),
  effects: z.array(plannedEffectSchema),
});

/** What applying a plan needs. */
export type PlanContent = z.infer<typeof contentSchema>;

/** How many entities a plan creates, modifies and deletes. */
export interface ChangeCounts {
  readonly created: number;
  readonly modified: number;
  readonly deleted: number;
}

/** A plan as it is stored. */
export interface StoredPlan {
  readonly id: string;
  readonly source: string;
  readonly file: string;
  readonly counts: ChangeCounts;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly appliedAt: Date | null;
}

const columns = `id, source, file, counts, created_at AS "createdAt", expires_at AS "expiresAt", applied_at AS "appliedAt"`;

/** Stores a plan, and deletes those that have expired. */
export async function insertPlan(
  on: Queryable,
  plan: Pick<StoredPlan, 'id' | 'source' | 'file' | 'counts'> & {
    readonly createdBy: string;
    readonly content: PlanContent;
  },
): Promise<StoredPlan> {
  const { id, source, file, counts, createdBy, content } = plan;
  await queryRows(on, 'DELETE FROM directory.configuration_plans WHERE expires_at < now()');
  await queryRows(
    on,
    `DELETE FROM directory.configuration_plans WHERE source = :source AND id IN (
       SELECT id FROM directory.configuration_plans WHERE source = :source AND applied_at IS NULL
        ORDER BY created_at DESC OFFSET ${keptPlans - 1})`,
    { source },
  );
  const { rows } = await on.raw<{ rows: StoredPlan[] }>(
    `INSERT INTO directory.configuration_plans (id, source, file, content, counts, created_by, expires_at)
     VALUES (:id, :source, :file, :content, :counts, :createdBy, now() + interval '${keptHours} hours') RETURNING ${columns}`,
    { id, source, file, content: await compress(JSON.stringify(content)), counts: JSON.stringify(counts), createdBy },
  );
  const [stored] = rows;
  if (!stored) throw new Error('no row came back for a plan');
  return stored;
}

/** A plan that has not expired, locked until the transaction ends; without content if it was applied. */
export async function lockPlan(
  trx: Queryable,
  id: string,
): Promise<{ readonly plan: StoredPlan; readonly content: PlanContent | undefined } | undefined> {
  const [row] = await queryRows<StoredPlan & { content: Buffer | null }>(
    trx,
    `SELECT ${columns}, content FROM directory.configuration_plans
      WHERE id = CAST(:id AS uuid) AND expires_at > now() FOR UPDATE`,
    { id },
  );
  if (!row) return undefined;
  const { content, ...plan } = row;
  if (content === null) return { plan, content: undefined };
  return { plan, content: contentSchema.parse(JSON.parse((await decompress(content)).toString())) };
}

/** Marks a plan as applied. What it contained is deleted. */
export async function markApplied(trx: Queryable, id: string): Promise<void> {
  await queryRows(
    trx,
    `UPDATE directory.configuration_plans SET applied_at = now(), content = NULL,
       expires_at = now() + interval '${keptHours} hours' WHERE id = CAST(:id AS uuid)`,
    { id },
  );
}
