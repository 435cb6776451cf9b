import type { AuditHold, AuditHoldRequest } from '@waybill/contracts/endpoints/audit-logs/audit-hold';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type AuditedFact, composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { WriterIdentity } from '../log/log-events.ts';
import type { AppendOutcome, LogWriter } from '../log/log-writer.ts';
import type { RecordLog } from '../log/record-log.ts';

/** Who does it, and why. */
export interface HoldDecision {
  readonly user: string;
  readonly reason: string;
}

/** A part of the holds: those after one, in the order of their ids, which is that of their times. */
export interface HoldPage {
  readonly limit: number;
  readonly after: string | undefined;
}

/** The stored holds. Changes are part of the transaction in which `use` records them. */
export interface HoldStore {
  list(page: HoldPage): Promise<AuditHold[]>;
  place(hold: AuditHold, use: (log: RecordLog) => Promise<AppendOutcome>): Promise<AppendOutcome>;
  /** `undefined` if there is no such hold any more. */
  release(
    id: string,
    decision: HoldDecision,
    use: (log: RecordLog, hold: AuditHold) => Promise<AppendOutcome>,
  ): Promise<{ hold: AuditHold; outcome: AppendOutcome } | undefined>;
}

/** Legal holds: records that retention leaves where they are. */
export interface Holds {
  /** The oldest first; with `next`, there are more. */
  list(page: HoldPage): Promise<{ readonly holds: readonly AuditHold[]; readonly next: string | undefined }>;
  place(request: AuditHoldRequest, user: string): Promise<AuditHold>;
  /** @throws CodedError `audit_hold_unknown` */
  release(id: string, decision: HoldDecision): Promise<AuditHold>;
}

/** Creates the use-cases of holds. Each change is a record of the log. */
export function createHolds(parts: { store: HoldStore; writer: LogWriter; identity: WriterIdentity }): Holds {
  const { store, writer, identity } = parts;
  const record = (fact: AuditedFact, hold: AuditHold, { user, reason }: HoldDecision) => {
    const names = { entityType: 'Audit hold', entityName: scopeOf(hold), entityId: hold.id, names: { reason } };
    const payload = composeAuditEvent(fact, { ...identity, user, ...names });
    return { id: uuidV7(), payload: { ...payload, context: { ...currentClient(), reason } } };
  };
  return {
    list: async ({ limit, after }) => {
      const found = await store.list({ limit: limit + 1, after });
      const holds = found.slice(0, limit);
      return { holds, next: found.length > limit ? holds.at(-1)?.id : undefined };
    },
    place: async ({ reason, ...scope }, user) => {
      const hold = { id: uuidV7(), ...scope, reason, placedBy: user, placedAt: new Date().toISOString() };
      const event = record('legalHoldSet', hold, { user, reason });
      const outcome = await store.place(hold, (log) => writer.append(log, [event]));
      outcome.remember();
      return hold;
    },
    release: async (id, decision) => {
      const released = await store.release(id, decision, (log, hold) =>
        writer.append(log, [record('legalHoldLifted', hold, decision)]),
      );
      if (!released) throw new CodedError('audit_hold_unknown');
      released.outcome.remember();
      return released.hold;
    },
  };
}

/** `records 3 to 7 from 2026-03-01T00:00:00Z`. */
function scopeOf({ first, last, from, to }: AuditHold): string {
  const bounds = [
    ...(first === undefined ? [] : [`from number ${first}`]),
    ...(last === undefined ? [] : [`to number ${last}`]),
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(to === undefined ? [] : [`to ${to}`]),
  ];
  return bounds.length === 0 ? 'all records' : `records ${bounds.join(' ')}`;
}
