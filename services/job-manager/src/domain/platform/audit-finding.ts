import type { ReportedAnchor, ReportedAudit } from '@waybill/contracts/messages/service-presence';
import { type Finding, type PartState, worstOf } from './watched-part.ts';

/** Events that are not in the audit log yet, as far as that is known. */
export interface AuditBacklog {
  /** At most 100 000. */
  readonly waiting: number;
  readonly oldestSeconds: number;
  /** Events that could not be handled in all attempts: an administrator has to look at them. */
  readonly setAside: number;
}

/** An anchor or witness, and how it does. */
export interface AnchorView {
  readonly anchor: ReportedAnchor;
  readonly state: PartState;
  readonly lagSeconds: number;
}

/** Events are recorded within a second; this long means that the writer is busy or hindered. */
const lateAfterSeconds = 30;
const stoppedAfterSeconds = 300;

/** An anchor that is behind for so long without a failure needs attention, too. */
const anchorLateAfterSeconds = 600;

/** The report of the process that has signed the largest checkpoint, which has the newest state of the anchors. */
export function newestReport(reports: readonly (ReportedAudit | undefined)[]): ReportedAudit | undefined {
  const known = reports.flatMap((report) => report ?? []);
  return known.toSorted((one, other) => other.checkpoint.records - one.checkpoint.records)[0];
}

/** How an anchor does now. */
export function viewAnchor(anchor: ReportedAnchor, now: Date): AnchorView {
  const { behindSince, failingSince, contradicts } = anchor;
  const lagMs = behindSince === undefined ? 0 : now.getTime() - Date.parse(behindSince);
  const lagSeconds = Math.max(0, lagMs / 1_000);
  const isLate = failingSince !== undefined || lagSeconds > anchorLateAfterSeconds;
  const state = isLate ? 'degraded' : 'up';
  return { anchor, lagSeconds, state: contradicts ? 'down' : state };
}

/** How the audit log does, by what waits for it and what its anchors say. */
export function judgeAudit(backlog: AuditBacklog, anchors: readonly AnchorView[]): Finding<never> {
  const worst = anchors.find(({ state }) => state === worstOf(anchors.map((anchor) => anchor.state)));
  if (worst?.state === 'down')
    return { state: 'down', reason: 'The audit log contradicts an anchor: nothing is recorded' };
  const { waiting, oldestSeconds, setAside } = backlog;
  if (oldestSeconds > stoppedAfterSeconds)
    return { state: 'down', reason: `Events that are not recorded: ${waiting}, the oldest for more than 5 minutes` };
  if (oldestSeconds > lateAfterSeconds)
    return {
      state: 'degraded',
      reason: `Events that wait to be recorded: ${waiting}, the oldest for more than 30 seconds`,
    };
  if (setAside > 0)
    return { state: 'degraded', reason: `Events that were set aside and are not recorded: ${setAside}` };
  if (worst?.state === 'degraded')
    return { state: 'degraded', reason: 'An anchor or witness does not have the last checkpoints' };
  return { state: 'up' };
}
