import { describe, expect, it } from 'vitest';
import { accessTestSchema, readExpectedAccess } from './access-test.ts';

describe('a sentence about access', () => {
  it('has a user, an operation, a path and perhaps a protocol', () => {
    expect(readExpectedAccess('acme may download /outbox/x')).toEqual({
      user: 'acme',
      allowed: true,
      operation: 'download',
      path: '/outbox/x',
      below: false,
    });
    expect(readExpectedAccess('acme may not createFolder /** over HTTP')).toEqual({
      user: 'acme',
      allowed: false,
      operation: 'createFolder',
      path: '/',
      below: true,
      protocol: 'HTTP',
    });
    expect(readExpectedAccess('acme may list / over SFTP')).toMatchObject({
      path: '/',
      below: false,
      protocol: 'SFTP',
    });
    expect(readExpectedAccess('acme may upload /in over there/**')).toMatchObject({
      path: '/in over there',
      below: true,
    });
  });

  it.each([
    '',
    'acme',
    'acme may /outbox',
    'acme may fly /outbox',
    'acme might list /outbox',
    'acme  may list /outbox',
    'acme may list outbox',
    'acme may list /outbox/',
    'acme may list /outbox/*',
    'acme may list /out*/x',
    'acme may list /**/x',
    'acme may list /../x',
    'acme may list /x\0',
    'acme may list /x over FTP/*',
    'a/b may list /x',
    ` acme may list /${'x'.repeat(300)}`,
    `acme may list ${'/x'.repeat(900)}/*`,
  ])('is refused in any other form: %j', (text) => {
    expect(readExpectedAccess(text)).toBeUndefined();
    expect(accessTestSchema.safeParse({ name: 'test', expect: text }).success).toBe(false);
  });

  it('stands alone or in a list of some', () => {
    const text = 'acme may list /';
    expect(accessTestSchema.parse({ name: 'test', expect: text })).toEqual({
      name: 'test',
      description: '',
      expect: [text],
    });
    expect(accessTestSchema.safeParse({ name: 'test', expect: [] }).success).toBe(false);
    expect(accessTestSchema.safeParse({ name: 'test', expect: [text, 1] }).success).toBe(false);
    expect(
      accessTestSchema.safeParse({ name: 'test', expect: Array.from({ length: 1_001 }, () => text) }).success,
    ).toBe(false);
  });
});
