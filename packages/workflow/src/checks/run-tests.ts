import { isDeepStrictEqual } from 'node:util';
import type { WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import type { WorkflowTest } from '@waybill/contracts/configuration/workflow-test';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import type { DryRun, DryStep } from '../run/dry-outcome.ts';
import { dryRun } from '../run/dry-run.ts';
import type { Workflows } from '../run/stored-steps.ts';
import type { TemplateFault } from './template-fault.ts';

/**
 * Runs the tests of a workflow. What is not as a test expects is a fault at the place of the expectation. Its message has no
 * values of parameters, which may be secrets.
 */
export function runWorkflowTests(template: WorkflowTemplate, workflows?: Workflows): TemplateFault[] {
  const { tests = [] } = template;
  return tests.flatMap((test, index) => {
    const path = ['tests', index] as const;
    if (tests.findIndex(({ name }) => name === test.name) < index) {
      return [{ path: [...path, 'name'], message: `the test ${test.name} already exists` }];
    }
    try {
      return compare(test, dryRun(template, test.given, workflows && { workflows }), path);
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return [{ path: [...path, 'given'], message: error.message }];
    }
  });
}

type Path = TemplateFault['path'];

function compare({ given, expect }: WorkflowTest, run: DryRun, path: Path): TemplateFault[] {
  const unknown = (names: readonly string[], place: Path): TemplateFault[] =>
    names.flatMap((name) => {
      const known = run.steps.map((step) => step.name);
      if (known.includes(name)) return [];
      return [{ path: [...place, name], message: `there is no step ${name}${suggestion(name, known)}` }];
    });
  const why = run.message === '' ? '' : ` (${run.message})`;
  return [
    ...unknown(Object.keys(given.steps), [...path, 'given', 'steps']),
    ...unknown(Object.keys(expect.steps), [...path, 'expect', 'steps']),
    ...(run.status === expect.status
      ? []
      : [{ path: [...path, 'expect'], message: `the job ends with ${run.status}${why}, not ${expect.status}` }]),
    ...(expect.message === undefined || run.message.includes(expect.message)
      ? []
      : [{ path: [...path, 'expect', 'message'], message: `the message of the job is another one${why}` }]),
    ...Object.entries(expect.outputs ?? {}).flatMap(([name, value]) =>
      isDeepStrictEqual(Object.hasOwn(run.outputs, name) ? run.outputs[name] : undefined, value)
        ? []
        : [{ path: [...path, 'expect', 'outputs', name], message: 'the output of the workflow has another value' }],
    ),
    ...run.steps.flatMap((step) => {
      const expected = Object.hasOwn(expect.steps, step.name) ? expect.steps[step.name] : undefined;
      return expected ? compareStep(expected, step, [...path, 'expect', 'steps', step.name]) : [];
    }),
  ];
}

function compareStep(expected: WorkflowTest['expect']['steps'][string], step: DryStep, path: Path): TemplateFault[] {
  const why = step.error === '' ? '' : ` (${step.error})`;
  const wrongStatus = expected.status !== undefined && expected.status !== step.status;
  return [
    ...(wrongStatus
      ? [{ path: [...path, 'status'], message: `the step has the status ${step.status}${why}, not ${expected.status}` }]
      : []),
    ...compareParameters(expected, step, path),
    ...(expected.items ? compareItems(expected.items, step, path) : []),
  ];
}

type ExpectedItem = NonNullable<WorkflowTest['expect']['steps'][string]['items']>[number];

function compareItems(expected: readonly ExpectedItem[], { items = [] }: DryStep, path: Path): TemplateFault[] {
  if (items.length !== expected.length) {
    return [{ path: [...path, 'items'], message: `the step runs for ${items.length} items, not ${expected.length}` }];
  }
  return items.flatMap((item, index) => {
    const wanted = expected[index] ?? {};
    const place = [...path, 'items', index];
    const why = item.error === '' ? '' : ` (${item.error})`;
    const message = `the item has the status ${item.status}${why}, not ${wanted.status}`;
    const wrongStatus = wanted.status !== undefined && wanted.status !== item.status;
    return [
      ...(wrongStatus ? [{ path: [...place, 'status'], message }] : []),
      ...compareParameters(wanted, item, place),
    ];
  });
}

function compareParameters(
  expected: Pick<ExpectedItem, 'with'>,
  actually: Pick<DryStep, 'status' | 'error' | 'with'>,
  path: Path,
): TemplateFault[] {
  const why = actually.error === '' ? '' : ` (${actually.error})`;
  const { with: parameters } = actually;
  return Object.entries(expected.with ?? {}).flatMap(([name, value]) => {
    const actual = parameters !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (isDeepStrictEqual(actual, value)) return [];
    const message =
      actual === undefined
        ? `there is no such parameter: the ${'index' in actually ? 'item' : 'step'} has the status ${actually.status}${why}`
        : 'the parameter has another value, which `waybill workflow run --dry-run` shows';
    return [{ path: [...path, 'with', name], message }];
  });
}
