import type { ExpectationOutcome } from '@waybill/contracts/configuration/expectation';
import type { TimeTrigger } from '@waybill/contracts/configuration/time-trigger';
import type { Trigger } from '@waybill/contracts/configuration/workflow-configuration';
import type { StoredStep, WorkflowInput, WorkflowOutput } from '@waybill/contracts/configuration/workflow-template';
import type { GrantedRights } from '@waybill/contracts/tasks/granted-right';
import type { NamedActor } from './actor-of-job.ts';

/** What starts an action. */
export type TriggerType = Trigger['type'];

/** One revision of a workflow; revisions never change. */
export interface WorkflowRevision {
  readonly templateId: number;
  readonly name: string;
  readonly revision: number;
  readonly description: string;
  /** The steps of all sections. */
  readonly steps: readonly StoredStep[];
  /** Typed inputs, by their names. */
  readonly inputs: Readonly<Record<string, WorkflowInput>>;
  readonly outputs: Readonly<Record<string, WorkflowOutput>>;
}

/** An action of an enabled contract, with everything that a job of it needs. */
export interface Action extends NamedActor {
  readonly contractId: string;
  readonly contractName: string;
  readonly contractType: 'Input' | 'Mediation' | 'Output';
  readonly actorName: string;
  readonly actionName: string;
  readonly trigger: TriggerType;
  /** The times that start it, if its trigger is Time. */
  readonly schedule: TimeTrigger | undefined;
  /** The expectation of its contract that starts it, and by which outcomes, if its trigger is Expectation. */
  readonly expectation: { readonly name: string; readonly on: readonly ExpectationOutcome[] } | undefined;
  /** Name of the job queue. */
  readonly queue: string;
  /** 1 to 10; 10 goes first. */
  /** The newest revision. */
  readonly workflow: WorkflowRevision;
  readonly variables: Readonly<Record<string, string>>;
  /** The VFS of the trigger, or the one that an OnDemand or Time action works in; `undefined` when it names none. */
  readonly vfsId: string | undefined;
}

/** An action of an enabled contract that is started at certain times. */
export interface TimeAction {
  readonly contractName: string;
  readonly actionName: string;
  readonly schedule: TimeTrigger;
}

/** What the jobs of an action may do in another VFS. */
export interface ActionGrant extends GrantedRights {
  readonly vfsId: string;
}

/** The file of an event. */
export interface FileOccurrence {
  readonly vfsId: string;
  /** Of the file, inside the VFS. */
  readonly path: string;
  readonly trigger: TriggerType;
}
