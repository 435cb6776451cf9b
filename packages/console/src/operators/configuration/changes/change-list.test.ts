import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ChangeList } from './change-list.tsx';

it.each([
  [false, 'Will be deleted'],
  [true, 'Deleted'],
])('says what becomes of objects, and of those that have changed (%s) what has: %s', (isDone, words) => {
  const change = { change: 'deleted' as const, entityType: 'Job Queue', name: 'dbl', differences: [] };
  const shown = renderToStaticMarkup(createElement(ChangeList, { changes: [change], isDone }));
  expect(shown).toContain(`<span class="badge">${words}</span>`);
});
