import { expect, it } from 'vitest';
import { mergePatch } from './merge-patch.ts';

// The examples of RFC 7396, appendix A, whose result is an object.
it.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with the patch %j becomes %j', (target, patch, merged) => {
  expect(mergePatch(target, patch)).toEqual(merged);
});

it('does not reach the prototype', () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
  const merged = mergePatch({}, patch);
  expect(Object.hasOwn(merged, '__proto__')).toBe(true);
  expect('polluted' in {}).toBe(false);
});
