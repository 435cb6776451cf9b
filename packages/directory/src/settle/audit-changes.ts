import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { Change } from '../apply/change.ts';
import { type ChangedDefinition, recordedDifference } from '../differences/recorded-difference.ts';

/** Who applies a configuration, and from which node. */
export interface AppliedBy {
  readonly user: string;
  readonly nodeId: string;
  readonly managerName: string;
  /** Every text of the configuration that contains values of the environment: they are not recorded. */
  readonly filled: ReadonlySet<string>;
}

const facts = {
  created: 'entityCreated',
  modified: 'entityModified',
  deleted: 'entityDeleted',
} as const satisfies Record<Change['change'], AuditedFact>;

/** The audit events of changes. A new password of an existing user is a separate event. */
export function auditChanges(changes: readonly Change[], by: AppliedBy): OutboxMessage[] {
  return changes.flatMap((change) => factsOf(change).map((fact) => auditMessage(fact, change, by)));
}

function factsOf({ change, fields }: Change): AuditedFact[] {
  if (change !== 'modified' || !fields.includes('password')) return [facts[change]];
  return fields.length === 1 ? ['passwordChanged'] : ['passwordChanged', 'entityModified'];
}

function auditMessage(fact: AuditedFact, change: Change, { filled, ...by }: AppliedBy): OutboxMessage {
  const { entityType, entityName, entityId } = change;
  const difference = fact === 'passwordChanged' ? undefined : recordedDifference(definitionsOf(change), filled);
  const payload = composeAuditEvent(fact, { ...by, entityType, entityName, entityId, context: { difference } });
  return { topic: 'audit-event', payload };
}

/** The settings before and after a change. */
export function definitionsOf({ change, definition, definitions }: Change): ChangedDefinition {
  if (change === 'modified') return definitions ?? {};
  return change === 'created' ? { after: definition } : { before: definition };
}
