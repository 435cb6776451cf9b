import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Command } from '../src/command.ts';
import { commands } from '../src/commands.ts';

const page = await readFile(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'ci.md'), 'utf8');
const pipelines = [...page.matchAll(/\n## (.*)\n[\s\S]*?```yaml\n([\s\S]*?)```/gu)].map(
  ([, title = '', text = '']) => ({
    title,
    text,
  }),
);
const table: Readonly<Record<string, Command>> = commands;

describe.each(pipelines)('the pipeline for $title', ({ text }) => {
  it('is YAML', () => expect(parse(text)).toBeTypeOf('object'));

  const lines = [...text.matchAll(/\bwaybill (\w+) ([^|\n]*?)(?: \|\|.*)?$/gmu)];

  it('plans, and applies', () => {
    expect(lines.map(([, name]) => name)).toEqual(['validate', 'plan', 'apply']);
  });

  it.each(lines.map(([, name = '', args = '']) => [name, args]))('has a valid command: %s %s', (name, args) => {
    const command = table[name];
    const { positionals } = parseArgs({
      args: args.replaceAll('"', '').split(' '),
      options: command?.options ?? {},
      allowPositionals: true,
      strict: true,
    });
    expect(positionals).toHaveLength(command?.positionals.length ?? -1);
  });
});
