import { describe, expect, it } from 'vitest';
import { runStages } from './run-stages.ts';
import type { Stage } from './stage.ts';

async function linesOf(stages: readonly Stage[], signal = new AbortController().signal) {
  const lines: string[] = [];
  const counts = await runStages(stages, { root: '/', signal, report: (line) => lines.push(line) });
  return { counts, lines, lastLine: lines.at(-1) };
}

function stage(name: string, passed: number, failed: number): Stage {
  return { name, run: () => Promise.resolve({ passed, failed }) };
}

describe('the stages of npm test', () => {
  it('end with the counts over all stages, and no output after that', async () => {
    const { counts, lastLine } = await linesOf([stage('lint', 1, 0), stage('unit', 40, 2)]);
    expect(lastLine).toBe('41 passed, 2 failed');
    expect(counts).toEqual({ passed: 41, failed: 2 });
  });

  it('list the failed stages', async () => {
    const { lines } = await linesOf([stage('lint', 1, 0), stage('unit', 1, 1)]);
    expect(lines.join('\n')).toContain('not in order: unit\n');
  });

  it('count a stage that throws, or that has nothing to test, as a failure', async () => {
    const broken: Stage = { name: 'broken', run: () => Promise.reject(new Error('no such program')) };
    const { lastLine } = await linesOf([broken, stage('empty', 0, 0)]);
    expect(lastLine).toBe('0 passed, 2 failed');
  });

  it('accept a stage without anything that depends on a change', async () => {
    const { lines, lastLine } = await linesOf([{ ...stage('unit', 0, 0), mayBeEmpty: true }, stage('types', 1, 0)]);
    expect(lines.join('\n')).toContain('no test depends on what has changed');
    expect(lastLine).toBe('1 passed, 0 failed');
  });

  it('do not begin another stage once interrupted', async () => {
    const { lastLine } = await linesOf([stage('unit', 5, 0)], AbortSignal.abort());
    expect(lastLine).toBe('0 passed, 1 failed');
  });
});
