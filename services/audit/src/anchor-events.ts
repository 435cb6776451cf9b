import type { ReportedAnchor } from '@waybill/contracts/messages/service-presence';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** The business events of anchors, with their logs and metrics. */
export interface AnchorEvents {
  /** A checkpoint of this size was signed, which the anchors do not have yet. */
  signed(size: number): void;
  /** The anchor has the checkpoint of this size. */
  stored(anchor: string, size: number): void;
  failed(anchor: string, error: unknown): void;
  /** The anchor could not be read at the start. */
  notRead(anchor: string, error: unknown): void;
  contradicted(anchor: string, sentence: string): void;
  /** How the anchors do now, by name. */
  states(): ReportedAnchor[];
}

interface AnchorState {
  readonly kind: ReportedAnchor['kind'];
  size: number;
  /** When the oldest checkpoint was signed that the anchor does not have; `undefined` if it has all. */
  behindSince: number | undefined;
  /** When the first attempt failed since the last success. */
  failingSince: number | undefined;
  contradicts: boolean;
}

/** Writes logs and metrics of these anchors. */
export function createAnchorEvents(
  logger: Logger,
  metrics: Metrics,
  anchors: readonly Pick<ReportedAnchor, 'name' | 'kind'>[],
): AnchorEvents {
  const states = new Map<string, AnchorState>(anchors.map(({ name, kind }) => [name, stateAtStart(kind)]));
  const failures = countFailures(metrics);
  describeStates(metrics, states);
  let latest = 0;
  const change = (anchor: string, use: (state: AnchorState) => void): void => {
    const state = states.get(anchor);
    if (state) use(state);
  };
  const fail = (anchor: string): void => {
    failures.inc({ anchor });
    change(anchor, (state) => {
      state.failingSince ??= Date.now();
    });
  };
  return {
    states: () => [...states].map(([name, state]) => reportOf(name, state)),
    signed: (size) => {
      latest = size;
      for (const state of states.values()) if (state.size < size) state.behindSince ??= Date.now();
    },
    stored: (anchor, size) =>
      change(anchor, (state) => {
        const behindSince = size < latest ? Date.now() : undefined;
        Object.assign(state, { size, contradicts: false, behindSince, failingSince: undefined });
      }),
    failed: (anchor, error) => {
      fail(anchor);
      logger.warn({ anchor, err: error }, 'an anchor of the audit log failed');
    },
    notRead: (anchor, error) => {
      fail(anchor);
      logger.error(
        { anchor, err: error },
        'an anchor of the audit log could not be read: it is compared when it can be',
      );
    },
    contradicted: (anchor, sentence) =>
      change(anchor, (state) => {
        Object.assign(state, { contradicts: true });
        logger.error({ anchor }, `NOTHING IS RECORDED: ${sentence}`);
      }),
  };
}

function stateAtStart(kind: AnchorState['kind']): AnchorState {
  return { kind, size: 0, behindSince: Date.now(), failingSince: undefined, contradicts: false };
}

function countFailures(metrics: Metrics) {
  return metrics.counter({
    name: 'waybill_audit_anchor_failures_total',
    help: 'Checkpoints that could not be stored in an anchor',
    labels: ['anchor'],
  });
}

function reportOf(name: string, { kind, size, behindSince, failingSince, contradicts }: AnchorState): ReportedAnchor {
  return {
    name,
    kind,
    records: size,
    ...(behindSince !== undefined && { behindSince: new Date(behindSince).toISOString() }),
    ...(failingSince !== undefined && { failingSince: new Date(failingSince).toISOString() }),
    contradicts,
  };
}

function describeStates(metrics: Metrics, states: ReadonlyMap<string, AnchorState>): void {
  const describe = (name: `waybill_${string}`, help: string, valueOf: (state: AnchorState) => number): void => {
    metrics.gauge({
      name,
      help,
      labels: ['anchor'],
      collect: (gauge) => {
        for (const [anchor, state] of states) gauge.set({ anchor }, valueOf(state));
      },
    });
  };
  describe('waybill_audit_anchor_lag_seconds', 'Age of the oldest checkpoint that an anchor does not have', (state) =>
    state.behindSince === undefined ? 0 : (Date.now() - state.behindSince) / 1_000,
  );
  describe('waybill_audit_anchor_size', 'Records in the last checkpoint of an anchor', ({ size }) => size);
  describe('waybill_audit_anchor_contradicts', '1 if the audit log contradicts an anchor', ({ contradicts }) =>
    Number(contradicts),
  );
}
