import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
let file: string;
const clean = `managerUsers: [{ name: admin, password: a long password, roles: [Administrators] }]
actors:
  - name: acme
    type: Partner
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-validate-'));
  file = join(folder, 'team.yaml');
  await writeFile(file, `${clean}    users:\n      - { name: "to\u200Bm", password: a long password }\n`);
});
afterAll(() => rm(folder, { recursive: true }));

it('without a platform, a name that it would refuse if it were new is an error at its place', async () => {
  const refused = await runWaybill(['validate', file], {});
  expect(refused.code).toBe(1);
  const place = String.raw`team.yaml:6:11: actors[0].users[0].name: the name of External User to\u{200B}m has the character U+200B`;
  expect(refused.err).toContain(place);
});

it('with --partial, it is only listed: the platform may have the name already', async () => {
  const listed = await runWaybill(['validate', file, '--partial'], {});
  expect([listed.code, listed.out]).toEqual([
    0,
    expect.stringContaining('? team.yaml:6:11: actors[0].users[0].name: the name of'),
  ]);
});

it('variables that make the configuration too large are refused in a sentence', async () => {
  const long = join(folder, 'long.yaml');
  await writeFile(long, `${clean}    description: "${'${A}'.repeat(20_000)}"\n`);
  const refused = await runWaybill(['validate', long], { A: 'b'.repeat(65_000) });
  expect([refused.code, refused.out, refused.err]).toEqual([
    1,
    '',
    'waybill validate: The configuration has more than 33554432 characters with the values of its variables\n',
  ]);
});
