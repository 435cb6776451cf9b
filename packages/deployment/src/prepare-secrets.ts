import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { type Environment, readSecretVariable } from '@waybill/service-kit/config/secret-source';
import { renderRedisUsers } from './redis-users.ts';
import { type SecretEntry, type SecretName, secretTable } from './secret-table.ts';
import { writeWhole } from './write-whole.ts';

/** The containers of PostgreSQL and Redis run as other users: their files are isolated by the volume. */
const foreignFolders = ['postgres', 'redis'];

/**
 * Writes every generated secret below `folder`, into the folder of its reader. `kept` has one file per secret: an existing
 * value is kept, unless a variable, or the file that `<VARIABLE>_FILE` names, sets another one. In Redis, and in a key
 * ring, `<name>.previous` is also valid. Safe to repeat. Returns the names of the generated secrets.
 * @throws Error if a kept file is empty, or if the file of a variable cannot be read
 */
export async function prepareSecrets(folder: string, env: Environment): Promise<SecretName[]> {
  const made: SecretName[] = [];
  const values = new Map<SecretName, readonly string[]>();
  for (const name of secretNames) {
    const kept = join(folder, 'kept', name);
    const { variable, kind, files }: SecretEntry = secretTable[name];
    const given = variable === undefined ? undefined : givenValue(env, variable);
    const before = await readKept(kept);
    const value = given || before || (kind === 'key-ring' ? newKeyRingEntry() : randomBytes(24).toString('base64url'));
    if (value !== before) await writeWhole(kept, value, 0o400);
    if (before === undefined && !given) made.push(name);
    const previous = await readKept(`${kept}.previous`);
    const valid = previous === undefined ? [value] : [value, previous];
    values.set(name, valid);
    const content = kind === 'key-ring' ? valid.join('\n') : value;
    for (const file of files) await distribute(folder, file, content);
  }
  await writeWhole(
    join(folder, 'redis', 'users.acl'),
    renderRedisUsers((name) => values.get(name) ?? []),
    0o444,
  );
  return made;
}

function givenValue(env: Environment, variable: string): string | undefined {
  const source = readSecretVariable(env, variable);
  if (source === undefined || 'value' in source) return source?.value;
  throw new Error(`${source.variable} ${source.fault}`);
}

const secretNames = Object.keys(secretTable).filter((name): name is SecretName => name in secretTable);

async function distribute(folder: string, file: string, value: string): Promise<void> {
  const isForeign = foreignFolders.some((foreign) => file.startsWith(`${foreign}/`));
  await writeWhole(join(folder, file), value, isForeign ? 0o444 : 0o400);
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    const value = await readFile(file, 'utf8');
    if (value === '') throw new Error(`${file} is empty: remove it to generate a new password`);
    return value;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
