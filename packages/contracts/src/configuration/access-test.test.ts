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

  it('has perhaps the address of the client, the last of what could be one', () => {
    expect(readExpectedAccess('acme may not download /outbox/** over SFTP from 192.0.2.7')).toEqual({
      user: 'acme',
      allowed: false,
      operation: 'download',
      path: '/outbox',
      below: true,
      protocol: 'SFTP',
      address: '192.0.2.7',
    });
    for (const address of [
      '0.0.0.0',
      '255.255.255.255',
      '::',
      '::1',
      '2001:DB8::7',
      '::ffff:192.0.2.7',
      '::ffff:c000:207',
    ])
      expect(readExpectedAccess(`acme may list /x from ${address}`), address).toMatchObject({ path: '/x', address });
    expect(readExpectedAccess('acme may list /from here from ::1')).toMatchObject({
      path: '/from here',
      address: '::1',
    });
    expect(readExpectedAccess('acme may list /x from mum from ::1')).toMatchObject({ path: '/x from mum' });
    expect(readExpectedAccess('acme may list /x from mum/**')).toMatchObject({ path: '/x from mum', below: true });
    expect(readExpectedAccess('acme may list /x From Mum')).toMatchObject({ path: '/x From Mum' });
  });

  it.each([
    'from 300.1.2.3',
    'from 192.0.2',
    'from 192.0.2.7.1',
    'from 192.000.2.7',
    'from 0x7f.1',
    'from 3221225985',
    'from 192.0.2.0/24',
    'from 2001:db8::/32',
    'from 192.0.2.7:22',
    'from [::1]',
    'from [::1]:22',
    'from fe80::1%eth0',
    'from :::1',
    'from 1:2:3:4:5:6:7:8:9',
    'from ::ffff:300.0.2.7',
    'from 192.0.2.7, 192.0.2.8',
    'from 192.0.2.7 192.0.2.8',
    'from 192.0.2.7 from 192.0.2.8',
    'from 192.0.2.7 over SFTP',
    'from 192.0.2.7/**',
    'from 192.0.2.*',
    'from  192.0.2.7',
    'from\t192.0.2.7',
    'From 192.0.2.7',
    'from localhost',
    'from partner.example.com',
    'from 192.0.2.7 ',
    'from 192.0.2.7\0',
    'from 192.0.2.7\n',
    'from １９２.0.2.7',
    'from acme',
  ])('never takes what may be meant as an address for a part of the path: %j', (rest) => {
    for (const path of ['/outbox/x', '/outbox/**', '/']) {
      const text = `acme may not list ${path} ${rest}`;
      expect(readExpectedAccess(text), text).toBeUndefined();
      const { error } = accessTestSchema.safeParse({ name: 'test', expect: text });
      expect(error?.issues[0]?.message, text).toMatch(/IP address|is not of the form/u);
    }
  });

  it('says what is missing, if it is an address', () => {
    const { error } = accessTestSchema.safeParse({ name: 'test', expect: 'acme may list / from 192.0.2.0/24' });
    expect(error?.issues[0]).toMatchObject({ path: ['expect', 0], message: expect.stringContaining('one address') });
  });

  it('is read in a short time, however it is repeated', () => {
    const text = `acme may list /${' from 1.1.1.1'.repeat(150)}x`;
    const begin = process.threadCpuUsage().user;
    for (let time = 0; time < 100; time += 1) expect(readExpectedAccess(text)).toBeUndefined();
    expect(process.threadCpuUsage().user - begin).toBeLessThan(2_000_000);
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
