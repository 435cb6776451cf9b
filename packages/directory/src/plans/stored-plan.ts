import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import type { Queryable } from '@waybill/postgres/database';
import { z } from 'zod';
import { queryRows } from '../queries/query-rows.ts';
import { plannedEffectSchema } from './planned-effect.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** How long a plan can be applied, and how long applying it again returns the same answer. */
const keptHours = 24;
/** Plans that are kept until they are applied: of one source, of one user, and together. The oldest ones go first. */
const kept = { ofSource: 20, ofUser: 100, all: 1_000 };
/** The compressed plans that are kept, in bytes. The newest one is kept whatever its size. */
const keptBytes = { ofUser: 128 * 1024 ** 2, all: 512 * 1024 ** 2 };

/** A plan that somebody is applying stays. */
const deleteOldest = `
  WITH ranked AS (
    SELECT id, source, created_by, row_number() OVER of_source AS source_rank, row_number() OVER of_user AS user_rank,
      row_number() OVER of_all AS rank, sum(octet_length(content)) OVER of_user AS user_bytes, sum(octet_length(content)) OVER of_all AS bytes
    FROM directory.configuration_plans WHERE applied_at IS NULL
    WINDOW of_source AS (PARTITION BY source ORDER BY created_at DESC, id),
      of_user AS (PARTITION BY created_by ORDER BY created_at DESC, id), of_all AS (ORDER BY created_at DESC, id)
  )
  DELETE FROM directory.configuration_plans WHERE id IN (
    SELECT id FROM directory.configuration_plans WHERE id IN (
      SELECT id FROM ranked WHERE rank >= ${kept.all} OR bytes + :size > ${keptBytes.all}
        OR (source = :source AND source_rank >= ${kept.ofSource})
        OR (created_by = :createdBy AND (user_rank >= ${kept.ofUser} OR user_bytes + :size > ${keptBytes.ofUser}))
    ) FOR UPDATE SKIP LOCKED
  )`;

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

/** Stores a plan, and deletes those that have expired or are too many. */
export async function insertPlan(
  on: Queryable,
  plan: Pick<StoredPlan, 'id' | 'source' | 'file' | 'counts'> & {
    readonly createdBy: string;
    readonly content: PlanContent;
  },
): Promise<StoredPlan> {
  const { id, source, file, counts, createdBy } = plan;
  const content = await compress(JSON.stringify(plan.content), { level: constants.Z_BEST_SPEED });
  await queryRows(on, 'DELETE FROM directory.configuration_plans WHERE expires_at < now()');
  await queryRows(on, deleteOldest, { source, createdBy, size: content.length });
  const { rows } = await on.raw<{ rows: StoredPlan[] }>(
    `INSERT INTO directory.configuration_plans (id, source, file, content, counts, created_by, expires_at)
     VALUES (:id, :source, :file, :content, :counts, :createdBy, now() + interval '${keptHours} hours') RETURNING ${columns}`,
    { id, source, file, content, counts: JSON.stringify(counts), createdBy },
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
