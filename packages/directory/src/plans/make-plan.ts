import { randomUUID } from 'node:crypto';
import type { Grant } from '@waybill/access/principal';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { assertMayCheck, assertMayPlan } from '../administration/assert-may-write.ts';
import { mayNameToReader } from '../administration/may-name.ts';
import type { Change } from '../apply/change.ts';
import {
  type ConfigurationToRehearse,
  type Rehearsal,
  rehearseConfiguration,
} from '../apply/rehearse-configuration.ts';
import type { AppliedBy } from '../settle/audit-changes.ts';
import { textsIn } from '../sources/texts-in.ts';
import { effectOf } from './planned-effect.ts';
import { type ChangeCounts, insertPlan, type StoredPlan } from './stored-plan.ts';

/** A configuration to plan, which comes from a file of this name. */
export interface ConfigurationToPlan extends ConfigurationToRehearse {
  readonly file: string;
  readonly by: AppliedBy;
  /** What the one who plans may do. */
  readonly grants: readonly Grant[];
}

/** A stored plan, and what it would change. */
export interface MadePlan {
  readonly plan: StoredPlan;
  readonly changes: readonly Change[];
}

/**
 * Finds out what applying a configuration would change, and keeps that as a plan which `applyPlan` applies. Nothing else is
 * done. @throws CodedError `configuration_invalid`, as applying it would, and `not_permitted`
 */
export async function makePlan(options: ConfigurationToPlan): Promise<MadePlan> {
  const { db, configuration, file, by, grants } = options;
  const { changes, hashes } = await rehearse(options);
  assertMayPlan(grants, changes);
  const bare = withoutPasswords(configuration);
  const content = {
    configuration: bare,
    hashes: { manager: [...hashes.manager], partner: [...hashes.partner] },
    // What only passwords contain is not stored.
    filled: [...new Set(textsIn(bare))].filter((text) => by.filled.has(text)),
    effects: changes.map(effectOf),
  };
  const { source } = configuration;
  const plan = await db.transaction(async (trx) => {
    const values = { id: randomUUID(), source, file, counts: countsOf(changes), createdBy: by.user, content };
    const stored = await insertPlan(trx, values);
    await appendToOutbox(trx, [{ topic: 'audit-event', payload: planEvent('configurationPlanned', stored, by) }]);
    return stored;
  });
  return { plan, changes };
}

/** Errors tell of manager users and roles only somebody who may read them. */
async function rehearse(options: ConfigurationToPlan): Promise<Rehearsal> {
  const { configuration, grants } = options;
  try {
    return await rehearseConfiguration({ ...options, mayName: mayNameToReader(grants) });
  } catch (error) {
    if (isCodedError(error, 'configuration_invalid')) assertMayCheck(grants, configuration);
    throw error;
  }
}

/** The audit event of something done with a plan. */
export function planEvent(fact: 'configurationPlanned' | 'configurationApplied', plan: StoredPlan, by: AppliedBy) {
  const { source, id, file, counts } = plan;
  const { user, nodeId, managerName } = by;
  const entity = { entityType: 'Configuration Source', entityName: source, entityId: id };
  return composeAuditEvent(fact, { user, nodeId, managerName, ...entity, context: { ...counts }, names: { file } });
}

function countsOf(changes: readonly Change[]): ChangeCounts {
  const count = (kind: Change['change']): number => changes.filter(({ change }) => change === kind).length;
  return { created: count('created'), modified: count('modified'), deleted: count('deleted') };
}

function withoutPasswords(configuration: PlatformConfiguration): PlatformConfiguration {
  const bare = <User extends { password?: unknown }>({ password: _password, ...user }: User) => user;
  return {
    ...configuration,
    managerUsers: configuration.managerUsers.map(bare),
    actors: configuration.actors.map((actor) => ({ ...actor, users: actor.users.map(bare) })),
  };
}
