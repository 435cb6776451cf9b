import { readAcceptedAnchors } from '../adapters/anchors/accepted-anchors-file.ts';
import type { AnchorEvents } from '../anchor-events.ts';
import type { Anchor } from '../domain/anchors/anchor.ts';
import type { AnchoredLog } from '../domain/anchors/exchange-checkpoint.ts';
import { type AnchorReports, type AnchorTimes, keepAnchor } from '../domain/anchors/keep-anchor.ts';
import { type KeptAnchors, keepAnchors } from '../domain/anchors/keep-anchors.ts';
import { anchorEvent, restoreEvent, type WriterIdentity } from '../domain/log/log-events.ts';
import type { IdentifiedEvent } from '../domain/records/log-record.ts';

/** What the anchors of a service need. */
export interface AnchorOptions {
  readonly anchors: readonly Anchor[];
  readonly log: AnchoredLog;
  readonly identity: WriterIdentity;
  readonly events: AnchorEvents;
  readonly checkpointFile: string;
  readonly intervalMs: number;
  /** An anchor that has failed for this time is recorded. */
  readonly alertMs: number;
  readonly areRequired: boolean;
  /** Appends a record of the audit log about itself. */
  record(event: IdentifiedEvent): Promise<void>;
}

const idleMs = 60_000;
const timeoutMs = 10_000;
const backoffMs = 300_000;

/** Creates the anchors; nothing is sent yet. */
export function createAnchors(options: AnchorOptions): KeptAnchors {
  const { anchors, log, events, checkpointFile, intervalMs, areRequired } = options;
  const times: AnchorTimes = { intervalMs, idleMs: Math.max(idleMs, intervalMs), timeoutMs, backoffMs };
  const readAccepted = () => readAcceptedAnchors(checkpointFile);
  const kept = anchors.map((anchor) =>
    keepAnchor(anchor, { log, times, readAccepted, reports: createReports(anchor.name, options) }),
  );
  return keepAnchors(kept, { areRequired, readAccepted, notRead: events.notRead });
}

function createReports(anchor: string, options: AnchorOptions): AnchorReports {
  const { identity, events, alertMs, record } = options;
  let size = 0;
  let failedSince: Date | undefined;
  let isRecorded = false;
  return {
    failed: async (error) => {
      failedSince ??= new Date();
      events.failed(anchor, error);
      if (isRecorded || Date.now() - failedSince.getTime() < alertMs) return;
      const reason = error instanceof Error ? error.message : String(error);
      try {
        await record(anchorEvent({ ...identity, anchor, since: failedSince, size, reason }));
        isRecorded = true;
      } catch (cause) {
        // The next failure is recorded.
        events.failed(anchor, cause);
      }
    },
    stored: async (stored) => {
      size = stored;
      events.stored(anchor, size);
      if (isRecorded && failedSince)
        await record(anchorEvent({ ...identity, anchor, since: failedSince, size, reason: undefined }));
      isRecorded = false;
      failedSince = undefined;
    },
    contradicted: (sentence) => events.contradicted(anchor, sentence),
    accepted: async (accepted, found, { checkpoint }) =>
      record(restoreEvent(accepted, { ...identity, remembered: found, size: checkpoint.size })),
  };
}
