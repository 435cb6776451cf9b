import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import type { DryItem, DryRun, DryStep } from '@waybill/workflow/run/dry-outcome';
import type { DryWorkflow } from '@waybill/workflow/run/dry-run';
import { z } from 'zod';
import { createRedact, isSecretParameter, mask, maskMembers, namesSecret, secretTextsOf } from '../mask-secrets.ts';

/**
 * The variables with a mask in the place of every value whose name says that it is secret. What is masked keeps its type, so that
 * inputs stay valid: texts are replaced, numbers become 0.
 */
export function maskVariables(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, masked(value, namesSecret(name))]));
}

function masked(value: unknown, secret: boolean): unknown {
  if (typeof value === 'string') return secret ? mask : value;
  if (typeof value === 'number') return secret ? 0 : value;
  if (Array.isArray(value)) return value.map((member) => masked(member, secret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, masked(member, secret || namesSecret(name))]),
  );
}

/** The workflow with the same mask in the defaults of its inputs, and of those of the workflows that it runs. */
export function maskDefaults({ steps, inputs, outputs }: DryWorkflow): DryWorkflow {
  return { steps: steps.map(maskCall), inputs: maskInputs(inputs), outputs };
}

function maskCall({ call, ...step }: StoredStep): StoredStep {
  return call ? { ...step, call: { ...call, inputs: maskInputs(call.inputs) } } : step;
}

function maskInputs(inputs: DryWorkflow['inputs']): Record<string, DryWorkflow['inputs'][string]> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      name,
      input.default === undefined
        ? input
        : { ...input, default: z.json().parse(masked(input.default, namesSecret(name))) },
    ]),
  );
}

/** What a dry run shows: secret parameters are masked, and their texts wherever they occur. */
export function maskDryRun(run: DryRun): DryRun {
  const found = run.steps.flatMap((step) =>
    [step, ...(step.items ?? [])].flatMap(({ with: given = {}, outputs }) =>
      secretTextsOf([secretParameters(step, given), given, outputs]),
    ),
  );
  const redact = createRedact(found);
  const redacted = (value: unknown): unknown => {
    if (typeof value === 'string') return redact.text(value);
    if (Array.isArray(value)) return value.map(redacted);
    if (typeof value !== 'object' || value === null) return value;
    return recordOf(value, redacted);
  };
  const shown = <S extends DryStep | DryItem>(step: DryStep, end: S): S => ({
    ...end,
    error: redact.text(end.error),
    outputs: recordOf(maskedRecord(end.outputs), redacted),
    ...(end.with && { with: recordOf({ ...maskedRecord(end.with), ...secretMasks(step, end.with) }, redacted) }),
  });
  return {
    ...run,
    message: redact.text(run.message),
    outputs: recordOf(maskedRecord(run.outputs), redacted),
    steps: run.steps.map((step) => ({
      ...shown(step, step),
      ...(step.items && { items: step.items.map((item) => shown(step, item)) }),
    })),
  };
}

function recordOf(value: object, change: (member: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

function maskedRecord(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, namesSecret(name) ? mask : maskMembers(member)]),
  );
}

function isSecret({ task }: DryStep, name: string): boolean {
  const specifications: Readonly<Record<string, { parameters: Parameters<typeof isSecretParameter>[0] }>> =
    taskSpecifications;
  const schema = Object.hasOwn(specifications, task) ? specifications[task]?.parameters : undefined;
  return schema ? isSecretParameter(schema, name) : namesSecret(name);
}

/** The secret parameters under a name that says so. */
function secretParameters(step: DryStep, given: Readonly<Record<string, unknown>>): { readonly secret: unknown } {
  return { secret: Object.entries(given).flatMap(([name, value]) => (isSecret(step, name) ? [value] : [])) };
}

function secretMasks(step: DryStep, given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(given)
      .filter((name) => isSecret(step, name))
      .map((name) => [name, mask]),
  );
}
