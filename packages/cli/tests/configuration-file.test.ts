import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import { demoPasswords } from '@waybill/directory/logins/demo-passwords';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfigurationFile } from '../src/configuration-file/read-configuration-file.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const readPage = (name = 'configuration-file') => readFile(path.join(root, 'docs', `${name}.md`), 'utf8');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-configuration-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function read(text: string, env: Record<string, string> = {}) {
  const file = path.join(folder, 'platform.yaml');
  await writeFile(file, text);
  return (await readConfigurationFile(file, env)).configuration;
}

/** Names of all fields that the schema has anywhere. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...properties, ...Object.values(schema).flatMap(fieldNames)];
}

describe('the page about the configuration file', () => {
  const exampleUnder = async (heading: string): Promise<string> => {
    const [, section = ''] = (await readPage()).split(`\n## ${heading}\n`);
    return /```yaml\n([\s\S]*?)```/u.exec(section)?.[1] ?? '';
  };

  it('has a small example of a partner on the local disk, which is valid', async () => {
    const passwords = { ADMIN_PASSWORD: 'first', UMBRELLA_PASSWORD: 'second' };
    const { actors, storageClasses } = await read(await exampleUnder('A partner of your own'), passwords);
    expect(actors[0]?.users[0]).toMatchObject({ name: 'umbrella', password: 'second' });
    expect(actors[0]?.connectionContracts).toHaveLength(2);
    expect(storageClasses).toEqual([]);
  });

  it('has an example that is valid, and that has every field there is', async () => {
    const example = await exampleUnder('A complete example');
    const configuration = await read(example);
    expect(configuration.actors[0]?.contracts[0]?.actions).toHaveLength(4);
    const fields = fieldNames(z.toJSONSchema(platformConfigurationSchema, { io: 'input' }));
    expect(fields.length).toBeGreaterThan(40);
    expect(fields.filter((field) => !new RegExp(`\\b${field}:`, 'u').test(example))).toEqual([]);
  });

  it('explains every field, or refers to the page that does', async () => {
    const [, fieldTables = ''] = (await readPage()).split('## Names');
    expect(fieldTables).toContain('](connections.md)');
    const explanations = fieldTables + (await readPage('connections'));
    const fields = fieldNames(z.toJSONSchema(platformConfigurationSchema, { io: 'input' }));
    expect(fields.filter((field) => !new RegExp(`[\`.]${field}[\`\\[.]`, 'u').test(explanations))).toEqual([]);
  });
});

describe('the demo configuration', () => {
  it('is valid unchanged, and its passwords can be set by the environment', async () => {
    const file = path.join(root, 'deploy', 'demo', 'platform.yaml');
    const passwordOf = async (env: Record<string, string>) =>
      (await readConfigurationFile(file, env)).configuration.managerUsers.find(({ name }) => name === 'admin')
        ?.password;
    expect(await passwordOf({})).toBe('admin-demo');
    expect(await passwordOf({ ADMIN_PASSWORD: 'better' })).toBe('better');
  });

  it('has exactly the passwords that services refuse if others can reach them', async () => {
    const file = path.join(root, 'deploy', 'demo', 'platform.yaml');
    const { managerUsers, actors } = (await readConfigurationFile(file, {})).configuration;
    const passwordsOf = (users: readonly { name: string; password?: unknown }[]) =>
      Object.fromEntries(users.map(({ name, password }) => [name, password]));
    expect(passwordsOf(managerUsers)).toEqual(demoPasswords.manager);
    expect(passwordsOf(actors.flatMap(({ users }) => users))).toEqual(demoPasswords.partner);
  });

  it('reads passwords from files', async () => {
    const file = path.join(root, 'deploy', 'demo', 'platform.yaml');
    const secret = path.join(folder, 'admin-password');
    await writeFile(secret, 'hidden-value\n');
    const { configuration } = await readConfigurationFile(file, { ADMIN_PASSWORD_FILE: secret });
    expect(configuration.managerUsers.find(({ name }) => name === 'admin')?.password).toBe('hidden-value');
    const both = readConfigurationFile(file, { ADMIN_PASSWORD_FILE: secret, ADMIN_PASSWORD: 'hidden-value' });
    await expect(both).rejects.toMatchObject({
      code: 'configuration_invalid',
      fields: [
        {
          field: expect.stringMatching(/managerUsers\[0\]\.password$/u),
          message: 'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set: set one of them',
        },
      ],
    });
    const missing = readConfigurationFile(file, { ADMIN_PASSWORD_FILE: `${secret}-hidden-value` });
    await expect(missing).rejects.toMatchObject({
      message: expect.stringMatching(/ADMIN_PASSWORD_FILE names a file that cannot be read \(ENOENT\)$/u),
    });
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['is missing', undefined, 'There is no file'],
    ['is not YAML', 'managerUsers: [{ password: hidden-value', 'is not YAML'],
    ['gives a key twice', 'managerUsers: []\nmanagerUsers: [hidden-value]', 'is not YAML'],
    ['is empty', '', 'is empty, not a configuration'],
    ['is plain text', 'hidden-value\nand more of it', 'is plain text, not a configuration'],
    ['is a list', '- hidden-value', 'is a list, not a configuration'],
    ['has a value of the wrong kind', 'manager: hidden-value', 'manager: must be a map of settings'],
    [
      'names a variable that is not set',
      'manager: { name: "hidden-value-${NOPE}" }',
      'manager.name: environment variable NOPE is not set',
    ],
  ])('%s: one sentence says so, without a value of it', async (_what, text, expected) => {
    const reading = text === undefined ? readConfigurationFile(path.join(folder, 'none.yaml'), {}) : read(text);
    const error = await reading.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'configuration_invalid', message: expect.stringContaining(expected) });
    expect(String(error)).not.toMatch(/hidden-value|\n/u);
  });
});
