import { z } from 'zod';

const limits = { until: z.iso.datetime(), step: z.string(), message: z.string() };

/** What a job waits for at a step, until a time at which it goes on in any case. */
export const stepWaitSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('time'), ...limits }),
  z.object({ kind: z.literal('file'), ...limits, vfsId: z.string(), folder: z.string(), pattern: z.string() }),
  // Waits that an earlier release began have no question.
  z.object({ kind: z.literal('approval'), ...limits, approvers: z.array(z.string()), question: z.string().optional() }),
]);

/** What a job waits for at a step. */
export type StepWait = z.infer<typeof stepWaitSchema>;

const decisionSchema = z.object({ decision: z.enum(['approved', 'rejected']), by: z.string(), reason: z.string() });

/** What a user has decided. */
export type Decision = z.infer<typeof decisionSchema>;

/** A decision, for people: `Rejected by alice: wrong month`. */
export function describeDecision({ decision, by, reason }: Decision): string {
  const who = by === '' ? 'the time limit' : by;
  return `${decision === 'approved' ? 'Approved' : 'Rejected'} by ${who}${reason === '' ? '' : `: ${reason}`}`;
}

/** What a step that waits keeps while it does. */
const waitStateSchema = z.object({ until: z.iso.datetime(), decided: decisionSchema.optional() });

/** What a step that waits keeps while it does. */
export interface WaitState {
  /** When it goes on in any case. */
  readonly until: Date;
  readonly decided?: Decision | undefined;
}

/** The state that a step has kept; `undefined` if it has not waited yet. */
export function readWaitState(kept: unknown): WaitState | undefined {
  const { data } = waitStateSchema.safeParse(kept);
  return data && { until: new Date(data.until), decided: data.decided };
}

/** Thrown by a task to suspend its job until what it waits for happens; the task is then run again. */
export class Suspension extends Error {
  override readonly name = 'Suspension';
  readonly wait: StepWait;
  constructor(wait: StepWait) {
    super(wait.message);
    this.wait = wait;
  }
}
