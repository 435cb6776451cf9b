/** The state of a queue, for the claim of jobs. */
export interface QueueSettings {
  readonly name: string;
  readonly enabled: boolean;
  /** 1 to 10; 10 goes first. */
  readonly priority: number;
  /** Jobs that run at once, over all workers. */
  readonly parallelism: number;
  /** What its jobs wait for, if it is not enabled. */
  readonly closedBecause?: string;
}
