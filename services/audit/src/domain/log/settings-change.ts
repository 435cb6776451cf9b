import { type AuditedFact, composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { z } from 'zod';
import type { IdentifiedEvent } from '../records/log-record.ts';
import type { WriterIdentity } from './log-events.ts';

/** The settings of the audit log whose changes are recorded. They have no secrets. */
export const auditSettingsSchema = z.object({
  /** What can be on or off, by name, with its options: an anchor, retention. */
  parts: z.record(z.string(), z.string()),
  /** All others, by the names of the variables. */
  values: z.record(z.string(), z.string()),
});

/** The settings of the audit log whose changes are recorded. */
export type AuditSettings = z.infer<typeof auditSettingsSchema>;

/**
 * The records of a change of settings: one for each part that was enabled or disabled, and one for all other changes.
 * Without former settings, as at the first start, the parts that are on were enabled.
 */
export function settingsEvents(
  former: AuditSettings | undefined,
  settings: AuditSettings,
  by: WriterIdentity & { readonly user: string },
): IdentifiedEvent[] {
  const [was, is] = [former?.parts ?? {}, settings.parts];
  const enabled = Object.keys(is).filter((part) => was[part] === undefined);
  const disabled = Object.keys(was).filter((part) => is[part] === undefined);
  const kept = Object.keys(is).filter((part) => was[part] !== undefined && was[part] !== is[part]);
  const changed: Difference[] = [
    ...kept.map((part) => ({ name: part, before: was[part], after: is[part] })),
    ...(former === undefined ? [] : differencesOf(former.values, settings.values)),
  ];
  return [
    ...enabled.map((part) => eventOf('auditEnabled', part, [{ name: part, before: undefined, after: is[part] }], by)),
    ...disabled.map((part) =>
      eventOf('auditDisabled', part, [{ name: part, before: was[part], after: undefined }], by),
    ),
    ...(changed.length === 0
      ? []
      : [eventOf('auditConfigurationModified', changed.map(({ name }) => name).join(', '), changed, by)]),
  ];
}

interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function differencesOf(before: AuditSettings['values'], after: AuditSettings['values']): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

function eventOf(
  fact: AuditedFact,
  entityName: string,
  differences: readonly Difference[],
  { user, ...identity }: WriterIdentity & { readonly user: string },
): IdentifiedEvent {
  const sideOf = (side: 'before' | 'after') =>
    Object.fromEntries(differences.flatMap(({ name, [side]: value }) => (value === undefined ? [] : [[name, value]])));
  const difference = JSON.stringify({ before: sideOf('before'), after: sideOf('after') });
  const place = { entityType: 'Audit configuration', entityName, entityId: identity.nodeId };
  const payload = composeAuditEvent(fact, {
    ...identity,
    user,
    ...place,
    names: { change: entityName },
    context: { difference },
  });
  return { id: uuidV7(), payload };
}
