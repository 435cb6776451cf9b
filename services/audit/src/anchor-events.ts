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
}

interface AnchorState {
  size: number;
  /** When the oldest checkpoint was signed that the anchor does not have; `undefined` if it has all. */
  behindSince: number | undefined;
  contradicts: boolean;
}

/** Writes logs and metrics of these anchors. */
export function createAnchorEvents(logger: Logger, metrics: Metrics, names: readonly string[]): AnchorEvents {
  const states = new Map<string, AnchorState>(
    names.map((name) => [name, { size: 0, behindSince: Date.now(), contradicts: false }]),
  );
  const failures = metrics.counter({
    name: 'waybill_audit_anchor_failures_total',
    help: 'Checkpoints that could not be stored in an anchor',
    labels: ['anchor'],
  });
  describeStates(metrics, states);
  let latest = 0;
  const change = (anchor: string, use: (state: AnchorState) => void): void => {
    const state = states.get(anchor);
    if (state) use(state);
  };
  return {
    signed: (size) => {
      latest = size;
      for (const state of states.values()) if (state.size < size) state.behindSince ??= Date.now();
    },
    stored: (anchor, size) =>
      change(anchor, (state) => {
        Object.assign(state, { size, contradicts: false, behindSince: size < latest ? Date.now() : undefined });
      }),
    failed: (anchor, error) => {
      failures.inc({ anchor });
      logger.warn({ anchor, err: error }, 'an anchor of the audit log failed');
    },
    notRead: (anchor, error) => {
      failures.inc({ anchor });
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
