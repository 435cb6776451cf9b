import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { errorsInto } from './errors-into.ts';

const platform = (role: string) => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers:
  - { name: admin, password: '\${SECRET:-hidden-value}', roles: [Administrators] }
  - { name: other, password: other-password, roles: [${role}] }
`;

it('waybill apply --unless-applied does nothing until file, value or database is another one', async () => {
  await using folder = await createTestFolder();
  const databases = [await createTestDatabase(), await createTestDatabase()];
  const [first = '', second = ''] = databases.map(({ url }) => url);
  const file = path.join(folder.path, 'platform.yaml');
  const stamp = path.join(folder.path, 'applied');
  const waybill = async (env: Record<string, string>, ...args: string[]): Promise<string> => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect([await runCommandLine(args, { env, out: print, err: errorsInto(lines) }), lines.join('\n')]).toEqual([
      0,
      expect.anything(),
    ]);
    return lines.join('\n');
  };
  const apply = (env: Record<string, string>) => waybill(env, 'apply', '--unless-applied', stamp, file);
  const nothing = 'This configuration was applied before: nothing is changed.';
  try {
    for (const url of [first, second]) await waybill({ DATABASE_URL: url }, 'migrate', '--without-roles');
    const env = { DATABASE_URL: first };
    await writeFile(file, platform('Administrators'));
    expect(await apply(env)).toContain('Applied: ');
    expect(await apply(env)).toBe(nothing);
    expect((await stat(stamp)).mode & 0o777).toBe(0o600);
    expect(await readFile(stamp, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/u);

    // Another file that was applied by hand stays in force.
    const byHand = path.join(folder.path, 'by-hand.yaml');
    await writeFile(byHand, platform('Users'));
    expect(await waybill(env, 'apply', byHand)).toMatch(/[12] modified/u);
    expect(await apply(env)).toBe(nothing);

    expect(await apply({ ...env, SECRET: 'another-password' })).toMatch(/[12] modified/u);
    await writeFile(file, platform('Users'));
    expect(await apply(env)).toMatch(/[12] modified/u);
    expect(await apply({ DATABASE_URL: second })).toContain('Applied: ');
  } finally {
    for (const database of databases) await database.drop();
  }
});
