import type { ActorScope } from '@waybill/access/principal';
import type { Expectation } from '@waybill/contracts/configuration/expectation';

/** What a due time, or the unexpected files before one, can be. */
export const expectationStates = ['pending', 'met', 'missed', 'late', 'unexpected', 'acknowledged'] as const;

/** What a due time, or the unexpected files before one, can be. */
export type StateName = (typeof expectationStates)[number];

/** What has come of an expectation at a due time, or the unexpected files before it. */
export interface ExpectationState {
  readonly id: number;
  /** Whose contract it was; null if the actor was deleted. */
  readonly actor: string | null;
  readonly contract: string;
  readonly expectation: string;
  readonly kind: 'due' | 'unexpected';
  readonly state: StateName;
  /** Which files it is about by now; null if the contract has it no longer. */
  readonly expected: Pick<Expectation, 'vfs' | 'virtualPath' | 'filePattern'> | null;
  readonly dueAt: Date;
  readonly deadlineAt: Date;
  /** How many have come. */
  readonly files: number;
  /** Of the file that came last. */
  readonly lastPath: string | null;
  readonly changedAt: Date;
  readonly acknowledgement: Acknowledgement | undefined;
}

/** A user knows of it, and says why it is settled. */
export interface Acknowledgement {
  /** The state before. */
  readonly outcome: string;
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
}

/** Which states to list; the newest first. */
export interface StateQuery {
  readonly actor?: string | undefined;
  readonly contract?: string | undefined;
  readonly expectation?: string | undefined;
  readonly state?: StateName | undefined;
  readonly dueFrom?: Date | undefined;
  readonly dueTo?: Date | undefined;
  /** Lists those with lower numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Only those of contracts of these actors. */
  readonly actors?: ActorScope;
}

/** What people see of expectations, and do to them. */
export interface Expectations {
  list(query: StateQuery): Promise<{ states: ExpectationState[]; next: number | undefined }>;
  /** @throws CodedError `expectation_unknown` */
  find(id: number, actors: ActorScope): Promise<ExpectationState>;
  /** @throws CodedError `expectation_unknown`, `expectation_not_open` */
  acknowledge(id: number, by: { userName: string; reason: string; actors: ActorScope }): Promise<ExpectationState>;
}
