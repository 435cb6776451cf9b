import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configSchema } from '../src/configuration/config.ts';

const page = readFileSync(new URL('../../../docs/running.md', import.meta.url), 'utf8');

it.each(Object.keys(configSchema.shape))('docs/running.md describes %s, with its default', (variable) => {
  const [, value] = new RegExp(`^\\| \`${variable}\` +\\| (.*?) *\\|`, 'mu').exec(page) ?? [];
  const preset = Object.entries(configSchema.parse({})).find(([name]) => name === variable)?.[1];
  expect(value?.replaceAll('`', '')).toBe([preset].flat().join(','));
});
