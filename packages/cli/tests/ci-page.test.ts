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

describe.each(pipelines)('the pipeline for $title', ({ text }) => {
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
