import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findCommand } from '../src/command-line/find-command.ts';
import { commands } from '../src/commands.ts';
import { platformCommands } from '../src/remote-commands.ts';

it.each(Object.keys(commands))('docs/command-line.md describes %s', async (name) => {
  const page = await readFile(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'command-line.md'), 'utf8');
  expect(page).toContain(`| \`waybill ${name}`);
});

it.each(Object.keys(commands))('%s is the same command whether or not all of them are loaded', (name) => {
  const found = findCommand(platformCommands, [...name.split(' '), '--option']);
  if (found) expect(found.command).toBe(findCommand(commands, [...name.split(' '), '--option'])?.command);
  else expect(Object.keys(platformCommands)).not.toContain(name);
});
