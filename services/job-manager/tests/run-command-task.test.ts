import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandRig } from './command-rig.ts';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

const stop = new AsyncDisposableStack();
let rig: FileTaskRig;
let fails: string;

beforeAll(async () => {
  const commands = stop.use(await openCommandRig());
  fails = await commands.script('fails', 'cat; echo "it is broken" >&2; exit 3');
  rig = stop.use(
    await openFileTaskRig({
      RUN_COMMANDS: `/usr/bin/tr VALUES,${fails},/usr/bin/head -c 200000 VALUES`,
      RUN_COMMAND_USERS: '61802-61803',
    }),
  );
});
afterAll(() => stop.disposeAsync());

it('makes a file from a file, once', async () => {
  await rig.deliver('/inbox/a', 'abc\n'.repeat(500_000));
  const claimed = await rig.claimNew();
  const given = { command: '/usr/bin/tr', arguments: ['a-z', 'A-Z'], input: '/inbox/a', output: '/outbox/b' };
  const outputs = await rig.run('run-command', given, { claimed });
  expect(outputs).toMatchObject({ path: '/outbox/b', size: '2000000', exitCode: 0, outputText: '', errorText: '' });
  expect(await rig.read('/outbox/b')).toBe('ABC\n'.repeat(500_000));
  const again = { claimed: await rig.takeOver(claimed), attempt: 2 };
  expect(await rig.run('run-command', given, again)).toMatchObject({ path: '/outbox/b', fileset: outputs['fileset'] });
});

it('makes a text from a text, of at most 64 KiB', async () => {
  const given = { command: '/usr/bin/tr', arguments: ['a-z', 'A-Z'], inputText: 'grün\0' };
  expect(await rig.run('run-command', given)).toEqual({ exitCode: 0, outputText: 'GRüN\u{fffd}', errorText: '' });
  const long = { command: '/usr/bin/head', arguments: ['/dev/zero'] };
  expect(String((await rig.run('run-command', long))['outputText'])).toHaveLength(65_536);
});

it('writes nothing if the program fails, unless its exit code is a success', async () => {
  const given = { command: fails, inputText: 'half', output: '/outbox/none' };
  await expect(rig.run('run-command', given)).rejects.toMatchObject({
    code: 'job_step_failed',
    message: `${fails} has ended with the exit code 3: it is broken`,
  });
  expect(await rig.read('/outbox/none')).toBeUndefined();
  expect(await rig.run('run-command', { ...given, successCodes: [0, 3] })).toMatchObject({ exitCode: 3 });
  expect(await rig.read('/outbox/none')).toBe('half');
});

it('refuses what is not allowed, and parameters that contradict each other', async () => {
  await expect(rig.run('run-command', { command: '/usr/bin/id' })).rejects.toMatchObject({ code: 'command_refused' });
  const both = { command: fails, input: '/inbox/a', inputText: '' };
  await expect(rig.run('run-command', both)).rejects.toThrow('is not possible beside input');
  await expect(rig.run('run-command', { command: 'tr' })).rejects.toThrow('must be an absolute path');
  await expect(rig.run('run-command', { command: fails, arguments: ['a\0b'] })).rejects.toThrow('has no NUL');
});
