import { expect, it } from 'vitest';
import type { ConsolePage } from './page.ts';
import { pathsOfAddress, sectionOf } from './section.ts';

const page = (path: string, more: Partial<ConsolePage> = {}): ConsolePage => ({
  path,
  permissions: [],
  load: () => Promise.reject(new Error('not loaded')),
  ...more,
});
const pages = [
  page('/', { label: 'Now' }),
  page('/configuration', { label: 'Configuration' }),
  page('/configuration/$collection'),
  page('/partners/$name', { section: '/configuration' }),
  page('/secrets', { section: '/configuration' }),
  page('/jobs', { label: 'Jobs' }),
];

it.each([
  ['/', ['/']],
  ['/configuration', ['/configuration', '/configuration/$collection']],
  ['/configuration/users', ['/configuration', '/configuration/$collection']],
  ['/partners/acme', ['/partners/$name', '/configuration']],
  ['/secrets', ['/secrets', '/configuration']],
  ['/secretsx', []],
  ['/jobs/1', ['/jobs']],
])('%s belongs to %j', (address, paths) => {
  expect([...pathsOfAddress(address, pages)]).toEqual(paths);
});

it('leads back to the section of a page that names one, or is below one', () => {
  expect(sectionOf(page('/secrets', { section: '/configuration' }), pages)).toEqual({
    path: '/configuration',
    label: 'Configuration',
  });
  expect(sectionOf(page('/jobs/$id'), pages)).toEqual({ path: '/jobs', label: 'Jobs' });
  expect(sectionOf(page('/configuration/$collection/$name'), pages)?.path).toBe('/configuration');
  expect(sectionOf(page('/jobs', { label: 'Jobs' }), pages)).toBeUndefined();
  expect(sectionOf(page('/account'), pages)).toBeUndefined();
});
