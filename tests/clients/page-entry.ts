/** A place in the table, and what stands there when its test passes. */
export interface TableCell {
  readonly client: string;
  readonly capability: string;
  /** Why the client is not tried for it; the test proves that. */
  readonly notOffered?: string;
  /** Why the client cannot be tried on this machine. */
  readonly notTried?: string;
}

/** A line below the table: what one client is tried for beyond it. */
export interface Particular {
  readonly client: string;
  readonly title: string;
  /** Why it cannot be tried on this machine. */
  readonly notTried?: string;
}

/** What a client prints when it is refused. */
export interface Refusal {
  /** What is refused. */
  readonly what: string;
  /** Who asked for it: a client or a command. */
  readonly by: string;
  readonly text: string;
}

declare module 'vitest' {
  /** What a test has to say on the page of compatibility. */
  interface TaskMeta {
    waybillCell?: TableCell;
    waybillParticular?: Particular;
    waybillRefusal?: Refusal;
  }
}
