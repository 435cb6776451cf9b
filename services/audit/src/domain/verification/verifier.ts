import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { NamedState } from '../anchors/anchor.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import type { CheckpointMemory } from '../log/checkpoint-memory.ts';
import type { LogSource } from './log-source.ts';
import { verifyLog } from './verify-log.ts';
import { verifySettled } from './verify-settled.ts';

/** Verifies the audit log. Disposing of it aborts a running verification. */
export interface Verifier extends AsyncDisposable {
  /** One verification runs at a time: concurrent callers share its result. */
  verify(): Promise<AuditVerification>;
}

/** Verifies the content of `source`. `onOutcome` is called once with every result. */
export function createVerifier(options: {
  source: LogSource;
  keys: { readonly trusted: TrustedKeys };
  memory: Pick<CheckpointMemory, 'read'>;
  anchors: { read(): Promise<readonly NamedState[]> };
  onOutcome(outcome: AuditVerification): void;
}): Verifier {
  const { source, keys, memory, anchors, onOutcome } = options;
  const stop = new AbortController();
  let running: Promise<AuditVerification> | undefined;
  const run = async (): Promise<AuditVerification> => {
    // Read before the log, which is then at least as new.
    const remembered = (await memory.read())?.checkpoint;
    const anchored = await anchors.read();
    const { signal } = stop;
    signal.throwIfAborted();
    const outcome = await verifySettled(source, () =>
      verifyLog({ source, trusted: keys.trusted, remembered, anchored, now: new Date(), signal }),
    );
    onOutcome(outcome);
    return outcome;
  };
  const forget = (): void => {
    running = undefined;
  };
  return {
    verify: () => (running ??= run().finally(forget)),
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('The service is stopping'));
      await Promise.allSettled([running]);
    },
  };
}
