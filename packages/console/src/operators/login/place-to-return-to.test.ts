import { expect, it } from 'vitest';
import { placeToReturnTo } from './place-to-return-to.ts';

const application = { origin: 'https://manager.example.org', start: '/console/' };

it.each([
  ['/console/jobs?status=ERROR', '/console/jobs?status=ERROR'],
  ['https://manager.example.org/console/audit#part', '/console/audit'],
  [null, '/console/'],
  ['', '/console/'],
  ['/ui/', '/console/'],
  ['/console', '/console/'],
  ['/console/../ui/', '/console/'],
  ['//evil.example.org/console/', '/console/'],
  ['/\\evil.example.org/console/', '/console/'],
  ['https://evil.example.org/console/', '/console/'],
  ['https://manager.example.org@evil.example.org/console/', '/console/'],
  ['https://manager.example.org:1/console/', '/console/'],
  ['javascript:alert(1)', '/console/'],
  ['http://[', '/console/'],
])('after a login, %j leads to %s', (kept, place) => {
  expect(placeToReturnTo(kept, application)).toBe(place);
});
