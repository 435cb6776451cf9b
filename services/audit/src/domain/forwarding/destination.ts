import type { StoredRecord } from '../records/log-record.ts';

/** The records that a destination has confirmed. */
export interface Delivery {
  /** The first ones of those that it was given; at least one. */
  readonly records: number;
  /** Of them, those that were too large and of which it has a shortened form. */
  readonly shortened: number;
}

/** A place that receives records as they are recorded. */
export interface Destination {
  /** Unique, and without secrets: it is in metrics, logs and the database. */
  readonly name: string;
  /** Where a destination begins that is new. */
  readonly from: 'now' | 'start';
  /**
   * Sends the first of these records, as many as it takes at a time, in their order. Resolves when they are confirmed.
   * @throws CodedError `connection_failed`, `remote_refused`, `destination_refused`; Error for settings that cannot be used
   */
  deliver(records: readonly StoredRecord[], signal: AbortSignal): Promise<Delivery>;
}

/** The state of a destination. */
export interface ForwardState {
  /** The number of the last record that it has confirmed. */
  readonly position: number;
  /** The number of the last record of the log. */
  readonly size: number;
  /** The number of the first record that is not archived. */
  readonly first: number;
  /** When the record after `position` was recorded, in milliseconds since 1970; `undefined` if there is none. */
  readonly oldestMs: number | undefined;
}

/** What destinations have confirmed. One process at a time holds a destination. */
export interface ForwardPositions {
  /** Holds the destination for another while; `undefined` while another process holds it. */
  hold(destination: Pick<Destination, 'name' | 'from'>): Promise<ForwardState | undefined>;
  /** Changes the position; without effect if another process holds the destination now. */
  move(name: string, change: { readonly from: number; readonly to: number }): Promise<void>;
  /** Lets another process hold it. */
  release(name: string): Promise<void>;
}
