import type { ExpectationOutcome, expectationVariables } from '@waybill/contracts/configuration/expectation';
import type { Trigger } from '@waybill/contracts/configuration/workflow-configuration';

/** What starts the imagined job: the part of a trigger that decides about its file and its variables. */
export interface DryTrigger {
  readonly type: Trigger['type'];
  /** Of the trigger Expectation. */
  readonly expectation?: string | undefined;
  /** Of the trigger Expectation: the outcomes that start the action. */
  readonly on?: readonly ExpectationOutcome[] | undefined;
}

/** Whether jobs that this starts have a file: always, sometimes (only if it is one of `on`), or never. */
export function filesOfTrigger({ type, on = [] }: DryTrigger): 'always' | 'sometimes' | 'never' {
  if (type === 'OnDemand' || type === 'Time') return 'never';
  if (type !== 'Expectation' || !on.includes('missed')) return 'always';
  return on.some((outcome) => outcome !== 'missed') ? 'sometimes' : 'never';
}

/**
 * Why an imagined job cannot be started with a file, or without one; `undefined` if it can. Continues the name of what gives the file.
 */
export function faultOfFile(trigger: DryTrigger, hasFile: boolean): string | undefined {
  const files = filesOfTrigger(trigger);
  if (files === 'always' && !hasFile) return 'is missing: files start the action';
  if (files !== 'never' || !hasFile) return undefined;
  return `must be absent: the action is started by ${trigger.type === 'Expectation' ? 'missed' : trigger.type}, without a file`;
}

/** The variables of a job that an expectation starts, of which nothing has come, or one file; none of other triggers. */
export function imaginedOutcome(
  { type, expectation = '', on = [] }: DryTrigger,
  { hasFile, now }: { readonly hasFile: boolean; readonly now: string },
): Readonly<Record<string, string>> {
  if (type !== 'Expectation') return {};
  return {
    expectation,
    expectationOutcome: on.find((outcome) => (outcome === 'missed') !== hasFile) ?? '',
    dueAt: now,
    fileCount: hasFile ? '1' : '0',
  } satisfies Record<(typeof expectationVariables)[number], string>;
}
