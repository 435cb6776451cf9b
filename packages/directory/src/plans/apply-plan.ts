import { CodedError, type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { listenToEverything } from '@waybill/outbox/listen-to';
import type { Database, Transaction } from '@waybill/postgres/database';
import { assertMaySetCredentials, type UserWithCredential } from '../administration/assert-may-set-credentials.ts';
import { assertMayApply, type WriterRights } from '../administration/assert-may-write.ts';
import type { FilePorts } from '../apply/apply-systems.ts';
import type { Change } from '../apply/change.ts';
import { lockConfiguration, reconcileSource } from '../apply/reconcile-configuration.ts';
import type { AppliedBy } from '../settle/audit-changes.ts';
import { settleChanges } from '../settle/settle-changes.ts';
import { recordSource } from '../sources/applied-source.ts';
import { planEvent } from './make-plan.ts';
import { effectOf, movedSince } from './planned-effect.ts';
import { lockPlan, markApplied, type PlanContent, type StoredPlan } from './stored-plan.ts';

/** A plan to apply. */
export interface PlanToApply {
  readonly db: Database;
  readonly planId: string;
  readonly files: FilePorts;
  readonly by: Omit<AppliedBy, 'filled'>;
  /** What the one who applies it may do. */
  readonly rights: Pick<WriterRights, 'grants' | 'apiKeyId'>;
}

/** A plan that is in force. */
export interface AppliedPlan {
  readonly plan: StoredPlan;
  /** What was changed now: `undefined` if the plan had been applied before. */
  readonly changes: readonly Change[] | undefined;
}

/**
 * Applies a plan in one transaction, if its effects are still the ones that it showed; one that was applied before is
 * left as it is. @throws CodedError `plan_unknown`, `not_permitted`, and `plan_outdated`, whose fields name what has changed since
 */
export async function applyPlan({ db, planId, files, by, rights }: PlanToApply): Promise<AppliedPlan> {
  // An upload that begins before a contract exists and commits afterwards starts the contract too.
  await using _everything = await listenToEverything(db);
  return await db.transaction(async (trx) => {
    await lockConfiguration(trx);
    const found = await lockPlan(trx, planId);
    if (!found) throw new CodedError('plan_unknown');
    const { plan, content } = found;
    if (!content) return { plan, changes: undefined };
    const changes = await reconcilePlan(trx, content, { files, by: by.user });
    const moved = movedSince(content.effects, changes.map(effectOf));
    if (moved.length > 0) throw outdated(moved);
    await assertMayApply(trx, rights.grants, changes);
    assertMaySetCredentials({ userName: by.user, apiKeyId: rights.apiKeyId }, credentialsIn(changes, content));
    const settledBy = { ...by, filled: new Set(content.filled) };
    await settleChanges(trx, changes, settledBy);
    const managerName = content.configuration.manager.name;
    await recordSource(trx, { source: plan.source, file: plan.file, managerName, appliedBy: by.user });
    await markApplied(trx, planId);
    await appendToOutbox(trx, [{ topic: 'audit-event', payload: planEvent('configurationApplied', plan, settledBy) }]);
    return { plan, changes };
  });
}

/** The manager users whose passwords, or links with an issuer, a plan sets. */
function credentialsIn(changes: readonly Change[], { hashes }: PlanContent): UserWithCredential[] {
  const given = new Set(hashes.manager.filter(([, hash]) => hash !== null).map(([name]) => name));
  return changes
    .filter(({ change, entityType }) => entityType === 'Internal User' && change !== 'deleted')
    .flatMap(({ change, entityName: name, fields, definition, definitions }): UserWithCredential[] => {
      const isNew = change === 'created';
      const isLinked = (definitions?.after ?? definition)?.['oidc'] !== undefined;
      return [
        ...((isNew ? given.has(name) : fields.includes('password'))
          ? [{ name, isNew, credential: 'password' } as const]
          : []),
        ...(isLinked && (isNew || fields.includes('oidc')) ? [{ name, isNew, credential: 'link' } as const] : []),
      ];
    });
}

async function reconcilePlan(
  trx: Transaction,
  content: PlanContent,
  applied: { readonly files: FilePorts; readonly by: string },
): Promise<Change[]> {
  const { configuration } = content;
  const manager = content.hashes.manager.flatMap(([name, hash]): [string, string][] =>
    hash === null ? [] : [[name, hash]],
  );
  const hashes = { manager: new Map(manager), partner: new Map(content.hashes.partner) };
  try {
    return await reconcileSource(trx, { configuration, hashes, ...applied });
  } catch (error) {
    // It was valid when it was planned.
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    throw outdated(error.fields.length > 0 ? error.fields : [{ field: '', message: error.message }], error);
  }
}

const shownInDetail = 5;

function outdated(fields: readonly FieldError[], cause?: Error): CodedError {
  const shown = fields.slice(0, shownInDetail).map(({ field, message }) => `${field} ${message}`.trim());
  const more = fields.length > shownInDetail ? [`and ${fields.length - shownInDetail} more`] : [];
  const detail = `The plan was not applied: ${[...shown, ...more].join('; ')}`;
  return new CodedError('plan_outdated', { detail, fields, ...(cause && { cause }) });
}
