import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { administeredParts } from '@waybill/contracts/endpoints/administration/part-table';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../src/commands/platform/object-arguments.ts';
import { runCommandLine } from '../src/run-command-line.ts';

/** Nothing listens there: what is refused before is refused without a platform. */
const env = { WAYBILL_URL: 'http://127.0.0.1:1', WAYBILL_TOKEN: 'token' };

async function waybill(args: readonly string[], input?: string) {
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = { env, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const given = input === undefined ? {} : { input: Readable.from([Buffer.from(input)]) };
  const code = await runCommandLine(args, { ...surroundings, ...given });
  return { code, out, err: err.join('\n') };
}

it.each([
  ['no settings', undefined, 'give --file <file>, or the settings on standard input'],
  ['empty ones', '', 'standard input has no settings'],
  ['a list', '- enabled: false', 'standard input has no settings'],
  ['what is not YAML', '{', 'standard input is not YAML'],
  ['a deep nest', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'standard input is nested'],
  ['another actor', 'actor: globex', 'standard input names another actor than --actor acme'],
])('refuses %s with one sentence', async (_what, input, sentence) => {
  for (const command of ['replace', 'change']) {
    const refused = await waybill(['objects', command, 'users', 'tom', '--actor', 'acme'], input);
    expect(refused).toEqual({ code: 2, out: [], err: expect.stringContaining(sentence) });
    expect(refused.err.split('\n')).toHaveLength(1);
  }
});

it('names the collection that may be meant, and a file that cannot be read', async () => {
  expect(await waybill(['objects', 'change', 'user', 'tom'], '{}')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no collection user; did you mean users?'),
  });
  for (const [collection, instead] of [
    ['secrets', '`waybill secret`'],
    ['connection-ssh-keys', '`waybill ssh-key`'],
  ] as const) {
    const refused = await waybill(['objects', 'list', collection]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`use ${instead}`) });
  }
  expect(await waybill(['objects', 'create', 'users', '--file', '/does/not/exist'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('/does/not/exist cannot be read'),
  });
});

it.each([
  ['no object of parts', ['change', 'servers', 'http'], 'name the cluster with --of'],
  ['no object of a part that is shown', ['show', 'expectations', 'daily'], 'name the contract with --of'],
  [
    'two objects',
    ['replace', 'servers', 'http', '--of', 'inner'],
    'names another cluster than --of inner',
    'cluster: edge',
  ],
  ['an object that is no name', ['create', 'servers'], 'name the cluster with --of', 'cluster: [edge]'],
  ['an actor of parts', ['delete', 'expectations', 'daily', '--actor', 'acme'], '--actor only filters the list'],
  ['an object of objects', ['list', 'actors', '--of', 'edge'], '--of is for servers and expectations'],
  [
    'a filter of another collection',
    ['list', 'users', '--storage-class', 'local'],
    '--storage-class does not filter users: there are --enabled, --authentication, --group',
  ],
  ['a filter of parts', ['list', 'servers', '--enabled', 'true'], '--enabled does not filter servers'],
  ['a filter of what is shown', ['show', 'users', 'tom', '--enabled', 'true'], '--enabled'],
])('refuses %s', async (_what, args, sentence, input = 'maxSessions: 1') => {
  expect(await waybill(['objects', ...args], input)).toEqual({
    code: 2,
    out: [],
    err: expect.stringContaining(sentence),
  });
});

it('reads YAML and JSON, and takes what `show` prints: the owner is no setting', async () => {
  const folder = await createTestFolder();
  onTestFinished(() => folder.remove());
  const file = path.join(folder.path, 'tom');
  const read = async (text: string, actor?: string) => {
    await writeFile(file, text);
    const [out, err] = [() => {}, () => {}];
    const values = { file, ...(actor !== undefined && { actor }) };
    return readSettings({ env, out, err, values, lists: {}, positionals: [] });
  };
  const settings = { name: 'tom', enabled: false, password: '${{ not a variable }}' };
  expect(await read(`name: tom\nenabled: false\npassword: '\${{ not a variable }}'\n`)).toEqual(settings);
  expect(await read(JSON.stringify({ ...settings, source: null }))).toEqual(settings);
  expect(await read(JSON.stringify(settings), 'acme')).toEqual({ ...settings, actor: 'acme' });
});

it('takes the object of a part from the settings or from --of, and leaves out what belongs to the object', async () => {
  const read = (text: string, values: Record<string, string> = {}) => {
    const [out, err] = [() => {}, () => {}];
    const input = Readable.from([Buffer.from(text)]);
    return readSettings({ env, out, err, input, values, lists: {}, positionals: ['expectations', 'daily'] });
  };
  const settings = { name: 'daily', contract: 'orders', graceMinutes: 5 };
  expect(await read(JSON.stringify({ ...settings, actor: 'umbrella', source: null }))).toEqual(settings);
  expect(await read('graceMinutes: 5', { of: 'orders' })).toEqual({ contract: 'orders', graceMinutes: 5 });
});

it('completes every collection of the API, and only as the first argument', async () => {
  const complete = async (...words: string[]) => (await waybill(['__complete', 'objects', ...words])).out;
  const collections = [...administeredResources, ...administeredParts].map(({ collection }) => collection);
  for (const command of ['list', 'show', 'create', 'replace', 'change', 'delete'])
    expect(await complete(command, '')).toEqual(expect.arrayContaining(collections));
  expect(await complete('show', '--actor', 'acme', 'virt')).toEqual(['virtual-file-systems']);
  expect(await complete('show', '--actor', 'us')).toEqual([]);
  expect(await complete('show', 'users', 'us')).toEqual([]);
});
