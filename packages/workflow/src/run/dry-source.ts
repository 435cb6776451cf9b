import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import type { GivenRun } from '@waybill/contracts/configuration/workflow-test';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import { bindInputs } from './bind-inputs.ts';
import { describeFile, type JobFile } from './job-file.ts';
import type { ScopeSource } from './job-scope.ts';

/** The contract and the action of an imagined job. */
export interface DryAction {
  readonly contract: string;
  readonly action: string;
  readonly actor: string;
  readonly queue: string;
}

/** What is known of the imagined job, in the place of what would be imagined. */
export interface DryJob {
  readonly action?: DryAction | undefined;
  /** A file that exists, in the place of the one that the run is given. */
  readonly file?: JobFile | undefined;
  /** Of that file. */
  readonly dfic?: DataflowContext | undefined;
}

const imagined: DryAction = { contract: 'contract', action: 'action', actor: 'actor', queue: 'Default Queue' };
const imaginedNow = '2026-01-01T00:00:00.000Z';

/**
 * Where the expressions of a dry run get their values from.
 * @throws CodedError `validation_failed`: inputs are missing or wrong
 */
export function sourceOfDryRun(
  inputs: Readonly<Record<string, WorkflowInput>>,
  given: GivenRun,
  { action = imagined, file, dfic = { dfiid: '<dfiid>', lcid: '<lcid>', userAttrs: {} } }: DryJob,
): Omit<ScopeSource, 'steps'> {
  const now = given.now ?? imaginedNow;
  const { dfiid, lcid } = dfic;
  const known = file ?? (given.file === undefined ? undefined : describeFile(given.file, '1', String(given.size)));
  return {
    ...(known && { file: known }),
    variables: bindInputs(inputs, given.variables),
    dfic,
    job: { id: 1, ...action, dfiid, lcid, submittedBy: 'dry-run', createdAt: now },
    now: new Date(now),
  };
}
