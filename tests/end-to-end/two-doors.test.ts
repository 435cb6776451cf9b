import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { acceptedDifferences } from './two-doors/accepted-differences.ts';
import { operations, type Door, type OperationName } from './two-doors/door.ts';
import { createHttpDoor } from './two-doors/http-door.ts';
import { passwordOf, platformConfiguration } from './two-doors/platform-configuration.ts';
import { prepareSituations } from './two-doors/prepare-situations.ts';
import { connectSftp, createSftpDoor } from './two-doors/sftp-door.ts';
import { pathIn, situations, testUsers, type TestUser } from './two-doors/situations.ts';

interface UserWithDoors {
  readonly user: TestUser;
  readonly sftp: Door;
  readonly http: Door;
}

const resources = new AsyncDisposableStack();
let usersWithDoors: readonly UserWithDoors[];

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  await writeFile(file, platformConfiguration());
  const platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
  await prepareSituations(
    platform,
    operations.flatMap((operation) => [tagOf(operation, 'sftp'), tagOf(operation, 'http')]),
  );
  usersWithDoors = await Promise.all(testUsers.map((user) => logIn(platform, user)));
});
afterAll(() => resources.disposeAsync());

describe('users learn the same over SFTP and over HTTP, except for the accepted differences:', () => {
  it.each(operations)('%s', async (operation) => {
    const found = await Promise.all(usersWithDoors.map((user) => differencesOf(operation, user)));
    expect(found.flat().toSorted()).toEqual(acceptedDifferencesOf(operation).toSorted());
  });
});

async function differencesOf(operation: OperationName, { user, sftp, http }: UserWithDoors): Promise<string[]> {
  const differences = [];
  for (const situation of situations) {
    const ask = (door: Door, name: 'sftp' | 'http') => {
      const tag = tagOf(operation, name);
      return door.run(operation, pathIn(situation, tag), `/vfs/spare/${situation.replaceAll(' ', '-')}.${tag}`);
    };
    const told = { sftp: await ask(sftp, 'sftp'), http: await ask(http, 'http') };
    if (told.sftp !== told.http) differences.push(describeDifference(situation, user, told));
  }
  return differences;
}

function acceptedDifferencesOf(operation: OperationName): string[] {
  return acceptedDifferences
    .flatMap(({ rows }) => rows)
    .filter(([_sftp, _http, concerned]) => concerned.includes(operation))
    .flatMap(([sftp, http, _operations, inSituations, of]) => {
      const users = testUsers.filter(of);
      return inSituations.flatMap((situation) =>
        users.map((user) => describeDifference(situation, user, { sftp, http })),
      );
    });
}

function describeDifference(
  situation: string,
  { name }: TestUser,
  { sftp, http }: { sftp: string; http: string },
): string {
  return `${situation}, user ${name}: ${sftp} over SFTP, ${http} over HTTP`;
}

function tagOf(operation: OperationName, door: 'sftp' | 'http'): string {
  return `${door}-${operations.indexOf(operation)}`;
}

async function logIn(platform: PlatformProcess, user: TestUser): Promise<UserWithDoors> {
  const [name, password] = [user.name, passwordOf(user.name)];
  const sftp = resources.use(createSftpDoor(await connectSftp({ port: platform.sftpPort, user: name, password })));
  const client = platform.http();
  const answer = await client.post('/2.0/login/basic', { form: { username: name, password } });
  if (answer.status !== 200) throw new Error(`login of ${name}: ${answer.status} ${answer.text}`);
  return { user, sftp, http: createHttpDoor(client) };
}
