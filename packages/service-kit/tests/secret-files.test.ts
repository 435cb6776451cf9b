import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { databaseConfigShape, databaseUrlOf } from '../src/config/database-config.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { redisConfigShape, redisUrlOf } from '../src/config/redis-config.ts';
import { portSchema } from '../src/config/value-schemas.ts';

const schema = z.object({ ...databaseConfigShape, ...redisConfigShape, PORT: portSchema(8080) });
const complete = { DATABASE_URL: 'postgresql://waybill@db/waybill', REDIS_URL: 'redis://cache:6379/0' };
const canary = 'canary-4711';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function secretFile(content: string | Buffer): Promise<string> {
  const file = join(folder, `secret-${Math.random().toString(36).slice(2)}`);
  await writeFile(file, content, { mode: 0o400 });
  return file;
}

function faultsOf(env: Readonly<Record<string, string>>): readonly FieldError[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    expect(error.message).not.toContain(canary);
    return error.fields;
  }
  return [];
}

describe('a secret in a file', () => {
  test('is taken without the newline at its end, and through the links of a mounted secret', async () => {
    const linked = join(folder, 'linked');
    await symlink(await secretFile(`redis://:${canary}@cache:6379/0\r\n`), linked);
    const config = loadConfig(schema, {
      DATABASE_URL_FILE: await secretFile(`postgresql://waybill:${canary}@db/waybill\n`),
      REDIS_URL_FILE: linked,
      DATABASE_URL: '',
    });
    expect(databaseUrlOf(config)).toBe(`postgresql://waybill:${canary}@db/waybill`);
    expect(redisUrlOf(config)).toBe(`redis://:${canary}@cache:6379/0`);
  });

  test('keeps every other character, blanks and further newlines included', async () => {
    const password = ` ${canary} %/?#@:\n`;
    const config = loadConfig(schema, { ...complete, DATABASE_PASSWORD_FILE: await secretFile(`${password}\n`) });
    expect(config.DATABASE_PASSWORD?.reveal()).toBe(password);
    expect(decodeURIComponent(new URL(databaseUrlOf(config)).password)).toBe(password);
  });

  test('is refused beside the variable itself, by the names of both', async () => {
    const file = await secretFile(canary);
    expect(faultsOf({ ...complete, DATABASE_URL_FILE: file })).toEqual([
      { field: 'DATABASE_URL', message: 'and DATABASE_URL_FILE are both set: set one of them' },
    ]);
    expect(faultsOf({ ...complete, REDIS_PASSWORD: canary, REDIS_PASSWORD_FILE: file })).toHaveLength(1);
  });

  test('does not count for settings that are not secret', async () => {
    const config = loadConfig(schema, { ...complete, PORT_FILE: await secretFile('99') });
    expect(config.PORT).toBe(8080);
  });
});

describe('a file that holds no secret is refused in one sentence that names its variable', () => {
  const hostile: Readonly<Record<string, () => Promise<[path: string, message: string | RegExp]>>> = {
    'is missing': async () => [join(folder, canary), 'names a file that cannot be read (ENOENT)'],
    'is empty': async () => [await secretFile(''), 'names a file that is empty'],
    'has nothing but a newline': async () => [await secretFile('\n'), 'names a file that is empty'],
    'is huge': async () => [await secretFile(Buffer.alloc(64 * 1024 + 1, 'a')), 'names a file of more than 64 KiB'],
    'never ends': async () => ['/dev/zero', 'names something that is not a regular file'],
    'is not text': async () => [await secretFile(Buffer.from([0xff, 0xfe])), 'names a file that is not UTF-8 text'],
    'holds a NUL': async () => [await secretFile(`${canary}\0`), 'names a file that is not UTF-8 text'],
    'is a folder': async () => [folder, 'names something that is not a regular file'],
    'is a pipe without a writer': async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      return [pipe, 'names something that is not a regular file'];
    },
    'is below a file': async () => [join(await secretFile(canary), 'x'), 'names a file that cannot be read (ENOTDIR)'],
    'is a loop of links': async () => {
      const loop = join(folder, 'loop');
      await symlink(loop, loop);
      return [loop, 'names a file that cannot be read (ELOOP)'];
    },
    'is the secret itself': async () => [
      `postgresql://waybill:${canary}@db/waybill`,
      'names a file that cannot be read (ENOENT)',
    ],
    'has an impossible name': async () => [`${folder}/\0`, /^names a file that cannot be read/u],
  };

  test.each(Object.keys(hostile))('%s', async (what) => {
    const [path, message] = (await hostile[what]?.()) ?? ['', ''];
    expect(faultsOf({ REDIS_URL: complete.REDIS_URL, DATABASE_URL_FILE: path })).toEqual([
      { field: 'DATABASE_URL_FILE', message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
  });

  test('and everything else that is wrong is named with it', async () => {
    await mkdir(join(folder, 'folder'));
    const faults = faultsOf({ DATABASE_URL_FILE: join(folder, 'folder'), PORT: 'x' });
    expect(faults.map(({ field }) => field).toSorted()).toEqual(['DATABASE_URL_FILE', 'PORT', 'REDIS_URL']);
  });
});

describe('a password as a separate setting', () => {
  const load = (env: Readonly<Record<string, string>>) => loadConfig(schema, { ...complete, ...env });

  test('is put into the address', () => {
    const config = load({ DATABASE_PASSWORD: canary, REDIS_PASSWORD: `${canary}%41` });
    expect(databaseUrlOf(config)).toBe(`postgresql://waybill:${canary}@db/waybill`);
    expect(redisUrlOf(config)).toBe(`redis://:${canary}%2541@cache:6379/0`);
  });

  test.each(['canary-4711', '/canary-4711', 'http://canary-4711', 'postgresql://u:canary-4711@[bad/x', 'x://h:99999'])(
    'without one, an invalid address is refused too: %s',
    (text) => {
      const config = load({ DATABASE_URL: text, REDIS_URL: text });
      expect(() => databaseUrlOf(config)).toThrow('DATABASE_URL must be an address such as postgresql://');
      expect(() => redisUrlOf(config)).toThrow('REDIS_URL must be an address such as redis://');
      expect(() => redisUrlOf(config)).not.toThrow(/canary/u);
    },
  );

  test.each([
    ['postgresql://waybill:canary-4711@db/waybill', 'set only one of them'],
    ['postgresql:///waybill?host=/run/canary-4711', 'needs DATABASE_URL to be an address such as'],
    ['canary-4711', 'DATABASE_URL must be an address such as postgresql://user:password@host:port/name'],
  ])('is refused with the address %s, and neither is shown', (url, message) => {
    const config = load({ DATABASE_URL: url, DATABASE_PASSWORD: 'another' });
    expect(() => databaseUrlOf(config)).toThrow(message);
    expect(() => databaseUrlOf(config)).not.toThrow(/another|canary/u);
  });
});
