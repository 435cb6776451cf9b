import type { RecordSnapshot } from './verify-chain.ts';

/** Where the stored record is read from as a whole. */
export interface SnapshotSource {
  /** Lets `use` read one state of the audit log. Rejects when `signal` fires. */
  read<T>(use: (snapshot: RecordSnapshot) => Promise<T>, signal: AbortSignal): Promise<T>;
}
