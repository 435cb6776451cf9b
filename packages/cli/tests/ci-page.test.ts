import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../src/commands.ts';
import { understoodBy } from './understood-by.ts';

const page = await readFile(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'ci.md'), 'utf8');
const pipelines = [...page.matchAll(/\n## (.*)\n[\s\S]*?```yaml\n([\s\S]*?)```/gu)].map(
  ([, title = '', text = '']) => ({
    title,
    text,
  }),
);

/** The exit code of a script if each `waybill` in it ends with `code`. */
const exitCodeOf = (script: string, code: number) =>
  spawnSync('bash', ['-e', '-c', `waybill() { return ${code}; }\n${script}`]).status;

describe.each(pipelines)('the pipeline for $title', ({ text }) => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 0],
    [4, 1],
    [5, 1],
  ])('with a plan that ends with %i ends with %i', (ofPlan, ofStep) => {
    const step = /\bwaybill plan .*/u.exec(text)?.[0] ?? '';
    expect(exitCodeOf(step, ofPlan)).toBe(ofStep);
  });

  it('ends with a file that is invalid, even if the command line is', () => {
    const step = /\bwaybill validate .*/u.exec(text)?.[0] ?? '';
    expect([exitCodeOf(step, 2), text.includes('allow_failure')]).toEqual([2, false]);
  });

  it('is YAML', () => expect(parse(text)).toBeTypeOf('object'));

  const lines = [...text.matchAll(/\bwaybill (\w+) ([^|\n]*?)(?: \|\|.*)?$/gmu)];

  it('plans, and applies', () => {
    expect(lines.map(([, name]) => name)).toEqual(['validate', 'plan', 'apply']);
  });

  it.each(lines.map(([, name = '', args = '']) => [name, args]))('has a valid command: %s %s', async (name, args) => {
    const words = [name, ...args.replaceAll('"', '').split(' ')];
    await expect(understoodBy(commands, words)).resolves.toEqual({ code: 0, name });
  });
});
