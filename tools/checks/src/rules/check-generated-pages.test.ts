import { describe, expect, it } from 'vitest';
import { checkGeneratedPages } from './check-generated-pages.ts';

const page = { path: 'docs/errors.md', text: 'new' };

describe('the check of generated pages', () => {
  it('accepts a page that matches the code', () => {
    expect(checkGeneratedPages([page], [page])).toEqual([]);
  });

  it('finds a page that was changed by hand or is out of date', () => {
    expect(checkGeneratedPages([{ ...page, text: 'old' }], [page])).toMatchObject([{ path: 'docs/errors.md' }]);
  });

  it('finds a page that is missing', () => {
    expect(checkGeneratedPages([], [page])).toMatchObject([{ path: 'docs/errors.md' }]);
  });

  it('finds a service whose configuration no page describes', () => {
    const config = { path: 'services/audit/src/config.ts', text: '' };
    expect(checkGeneratedPages([page, config], [page])).toMatchObject([{ path: config.path }]);
  });

  it('finds a page whose source was removed', () => {
    const left = { path: 'docs/openapi/gone.json', text: '{}' };
    expect(checkGeneratedPages([page, left], [page])).toMatchObject([{ path: 'docs/openapi/gone.json' }]);
  });
});
