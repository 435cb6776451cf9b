import { CodedError } from '@waybill/contracts/errors/coded-error';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await openTestPlatform();
  const policy = { name: 'strict', passwords: { minimumLength: 20 } };
  await platform.apply({ ...demoPlatform(), accountPolicies: [policy] });
});
afterAll(() => platform.close());

const errorsOf = async (document: object): Promise<[field: string, message: string][]> => {
  const error: unknown = await platform.plan(document).catch((refused: unknown) => refused);
  if (!(error instanceof CodedError)) throw new Error('the document is not refused');
  return error.fields.map(({ field, message }) => [field, message]);
};

it('conflicts, references, new names and passwords are reported together', async () => {
  const errors = await errorsOf({
    source: 'team',
    clusters: [{ name: 'cluster1', servers: [{ name: 'other', protocol: 'SFTP' }] }],
    actors: [
      {
        name: 'umbrella',
        type: 'Partner',
        accountPolicy: 'strict',
        users: [{ name: 'to\u200Bm', password: 'too short' }],
        virtualFileSystems: [{ name: 'umbrella-files', storageClass: 'nowhere' }],
      },
    ],
  });
  expect(errors).toEqual([
    ['clusters[0].name', expect.stringContaining('belongs to')],
    ['actors[0].virtualFileSystems[0].storageClass', expect.stringContaining('there is no storage class nowhere')],
    ['actors[0].users[0].name', expect.stringContaining('has the character U+200B')],
    ['actors[0].users[0].password', expect.stringContaining('20')],
  ]);
});

it('a conflict alone has no error that follows from it: others refer to what they have', async () => {
  const clusters = [{ name: 'cluster1', servers: [{ name: 'other', protocol: 'SFTP' }] }];
  expect(await errorsOf({ source: 'team', clusters })).toEqual([
    ['clusters[0].name', expect.stringContaining('belongs to')],
  ]);
});
