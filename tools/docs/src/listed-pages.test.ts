import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedPages } from './generated-pages.ts';

const folder = new URL('../../../docs/', import.meta.url);
const index = readFileSync(new URL('README.md', folder), 'utf8');

it('the index of the documentation links every page', () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter((name) => !index.includes(`](${name}`))).toEqual([]);
});

it('the index names every generated page, which nobody should edit', () => {
  const [, paragraph = ''] = index.split('\nGenerated pages: ');
  const names = generatedPages().flatMap(({ path }) => /^docs\/([^/]+)$/u.exec(path)?.slice(1) ?? []);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !paragraph.includes(`\`${name}\``))).toEqual([]);
});
