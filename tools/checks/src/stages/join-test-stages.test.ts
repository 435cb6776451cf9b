import { expect, it } from 'vitest';
import { joinTestStages } from './join-test-stages.ts';
import type { Stage } from './stage.ts';

const check = (name: string): Stage => ({ name, run: () => Promise.resolve({ passed: 1, failed: 0 }) });
const tests = (name: string, ...projects: string[]): Stage => ({ ...check(name), projects });

function join(...stages: Stage[]) {
  const runs: (readonly string[])[] = [];
  const joined = joinTestStages(stages, (projects) => {
    runs.push(projects);
    return check('').run;
  });
  return { names: joined.map(({ name }) => name), last: runs.at(-1) };
}

it('joins stages of tests that follow each other, with all of their projects', () => {
  const { names, last } = join(check('lint'), tests('integration', 'a', 'b'), tests('fuzz', 'c'), tests('end', 'd'));
  expect(names).toEqual(['lint', 'integration, fuzz, end']);
  expect(last).toEqual(['a', 'b', 'c', 'd']);
});

it('leaves what is alone, or apart, as it is', () => {
  expect(join(tests('fuzz', 'c'), check('lint'), tests('end', 'd'))).toEqual({
    names: ['fuzz', 'lint', 'end'],
    last: undefined,
  });
});
