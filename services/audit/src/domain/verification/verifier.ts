import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import { type SnapshotSource, verifyChain } from './verify-chain.ts';

/** Verifies the audit log. Disposing of it aborts a running verification. */
export interface Verifier extends AsyncDisposable {
  /** One verification runs at a time: concurrent callers share its result. */
  verify(): Promise<AuditVerification>;
}

/** Verifies the content of `source`. `onOutcome` is called once with every result. */
export function createVerifier(options: {
  source: SnapshotSource;
  trusted: TrustedKeys;
  onOutcome(outcome: AuditVerification): void;
}): Verifier {
  const { source, trusted, onOutcome } = options;
  const stop = new AbortController();
  let running: Promise<AuditVerification> | undefined;
  const run = async (): Promise<AuditVerification> => {
    const outcome = await source.read((snapshot) => verifyChain({ snapshot, trusted, now: new Date() }), stop.signal);
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
