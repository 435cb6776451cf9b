import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { taskNameSchema } from '@waybill/contracts/configuration/workflow-step';
import { describe, expect, it } from 'vitest';
import { renderTaskIndex, taskCoverage } from './render-task-index.ts';

const root = new URL('../../../../', import.meta.url);
/** Tables of cases that stand beside the tests. */
const tables = ['services/job-manager/tests/task-cases.ts', 'services/job-manager/tests/transfer-cases.ts'];

const sourceOf = (file: string): string => readFileSync(fileURLToPath(new URL(file, root)), 'utf8');

describe('the page of the tasks', () => {
  it.each(taskNameSchema.options)('has a row with tested cases for %s', (task) => {
    expect(taskCoverage.filter(({ tasks }) => tasks.includes(task))).not.toEqual([]);
    expect(renderTaskIndex().text).toContain(`[\`${task}\`](${task}.md)`);
  });

  it.each(taskCoverage)('names tests that exist: $file, $tasks', ({ file, shared, cases }) => {
    if (shared !== undefined) expect(sourceOf(file)).toContain(`'./${shared}'`);
    const source = sourceOf(file) + (shared === undefined ? '' : sourceOf(`${dirname(file)}/${shared}`));
    expect(cases.length).toBeGreaterThan(0);
    for (const name of cases) expect(hasTest(source, name), name).toBe(true);
  });

  it.each(taskCoverage)('names files that test the tasks: $file, $tasks', ({ file, tasks }) => {
    const source = [file, ...tables].map(sourceOf).join('\n');
    for (const task of tasks) expect(source, task).toContain(task);
  });

  it('does not take any text for a test', () => {
    expect(hasTest("it('works', () => {});", 'works')).toBe(true);
    expect(hasTest("it.each([1])('works with %i', () => {});", 'works with %i')).toBe(true);
    expect(hasTest("test(\n  'works',", 'works')).toBe(true);
    expect(hasTest("const name = 'works';", 'works')).toBe(false);
    expect(hasTest("it('works again', () => {});", 'works')).toBe(false);
  });
});

/** Whether a test has this name: it follows the bracket of a call. */
function hasTest(source: string, name: string): boolean {
  const quoted = `'${name}',`;
  for (let at = source.indexOf(quoted); at >= 0; at = source.indexOf(quoted, at + 1)) {
    if (/(?:\b(?:it|test)|\))\(\s*$/u.test(source.slice(Math.max(0, at - 200), at))) return true;
  }
  return false;
}
