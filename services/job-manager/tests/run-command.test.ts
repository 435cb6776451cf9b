import { chmod, chown, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCommandRunner } from '../src/adapters/connections/run-command.ts';
import { commandConfigShape } from '../src/domain/workflows/command-settings.ts';
import { type CommandRig, firstUser, openCommandRig, runningProcesses } from './command-rig.ts';

let rig: CommandRig;

beforeAll(async () => {
  rig = await openCommandRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
// Whatever a program does, nothing of it is left.
afterEach(async () => {
  await waitFor(async () => (await runningProcesses()).length === 0, { what: 'all processes to end' });
});

async function* bytes(text: string, times = 1): AsyncGenerator<Buffer> {
  for (let count = 0; count < times; count += 1) yield await Promise.resolve(Buffer.from(text));
}

const oneUser = { RUN_COMMAND_USERS: `${firstUser}-${firstUser}` };

describe('a program', () => {
  it('gets its arguments as they are, whatever is in them', async () => {
    const command = await rig.script('arguments', 'printf "<%s>" "$@"');
    const given = [
      '; id',
      '$(id)',
      '`id`',
      '*',
      '',
      "'",
      '"',
      'a\nb',
      '\\',
      'ü\u{1f600}',
      '--help',
      '-c',
      '> /tmp/x',
      '&&',
    ];
    expect((await rig.run({ command, arguments: given })).output).toBe(given.map((text) => `<${text}>`).join(''));
  });

  it('has a clean environment, no groups, no privileges and no open files of the service', async () => {
    process.env['WAYBILL_TEST_SECRET'] = 'canary';
    const { output } = await rig.run({ command: '/usr/bin/env' });
    expect(output.trim().split('\n').toSorted()).toEqual(['HOME=/nonexistent', 'LANG=C.UTF-8', 'PATH=/usr/bin:/bin']);
    const command = await rig.script(
      'privileges',
      'id; grep -E "NoNewPrivs|CapEff|CapPrm" /proc/self/status; pwd; ls -l /proc/self/fd',
    );
    const [id, ...rest] = (await rig.run({ command }, oneUser)).output.split('\n');
    expect(id).toBe(`uid=${firstUser} gid=${firstUser} groups=${firstUser}`);
    expect(rest.slice(0, 4)).toEqual(['CapPrm:\t0000000000000000', 'CapEff:\t0000000000000000', 'NoNewPrivs:\t1', '/']);
    // Apart from standard input, output and error: the script itself, and what `ls` reads.
    const files = rest.slice(4).flatMap((line) => /-> (?<file>.+)$/u.exec(line)?.groups?.['file'] ?? []);
    expect(files.filter((file) => !/^pipe:|^socket:|^\/proc\//u.test(file) && file !== command)).toEqual([]);
  });

  it('reads its input to the end, or not at all', async () => {
    const { output, exitCode } = await rig.run({
      command: '/usr/bin/wc',
      arguments: ['-c'],
      input: bytes('x'.repeat(100_000), 80),
    });
    expect([output.trim(), exitCode]).toEqual(['8000000', 0]);
    expect(await rig.run({ command: '/usr/bin/true', input: bytes('x'.repeat(100_000), 80) })).toMatchObject({
      exitCode: 0,
    });
  });

  it('fails with its input', async () => {
    const input = (async function* () {
      yield Buffer.from('a');
      throw await Promise.resolve(new Error('the file is damaged'));
    })();
    await expect(rig.run({ command: '/usr/bin/cat', input })).rejects.toThrow('the file is damaged');
  });

  it('has ended before its output is read, and all of it is there', async () => {
    const config = z.object(commandConfigShape).parse({ RUN_COMMANDS: '/usr/bin/cat', ...oneUser });
    const order = { command: '/usr/bin/cat', arguments: [], input: bytes('half') };
    await using running = await createCommandRunner(config)(order, new AbortController().signal);
    await waitFor(async () => (await runningProcesses()).length === 0, { what: 'the program to end' });
    await sleep(100);
    const chunks: Buffer[] = [];
    for await (const chunk of running.output) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('half');
    expect(await running.ended).toMatchObject({ exitCode: 0 });
  });

  it('ends although its output is not read', async () => {
    const config = z.object(commandConfigShape).parse({ RUN_COMMANDS: '/usr/bin/yes', ...oneUser });
    const order = { command: '/usr/bin/yes', arguments: [], input: bytes('') };
    const running = await createCommandRunner(config)(order, new AbortController().signal);
    await running[Symbol.asyncDispose]();
    await expect(running.ended).rejects.toThrow('it was not wanted any more');
  });

  it('gives its exit code and the end of its standard error', async () => {
    const command = await rig.script('fail', 'head -c 10000 /dev/zero | tr "\\0" x >&2; echo the end >&2; exit 7');
    const { exitCode, errorText } = await rig.run({ command });
    expect(exitCode).toBe(7);
    expect(errorText).toMatch(/^x{4088}the end\n$/u);
    const killed = await rig.script('killed', 'kill -9 $$');
    await expect(rig.run({ command: killed })).rejects.toThrow('the signal SIGKILL has ended it');
  });

  it('waits for a user that nothing else runs as', async () => {
    const command = await rig.script('alone', 'ps -o pid= -u "$(id -u)" | wc -l; sleep 0.3');
    const runs = await Promise.all([1, 2, 3].map(() => rig.run({ command }, oneUser)));
    // dash, ps and wc, and the subshell of each pipe at most: never those of another run.
    for (const { output } of runs) expect(Number(output)).toBeLessThanOrEqual(4);
  });
});

describe('a hostile program', () => {
  it('that starts processes without end is limited, and all of them end', async () => {
    const order = { command: '/usr/bin/perl', arguments: ['-e', '$SIG{TERM} = "IGNORE"; fork while 1'] };
    const controller = new AbortController();
    const failing = rig.run({ ...order, signal: controller.signal }, { RUN_COMMAND_PROCESSES: '30' });
    failing.catch(() => {});
    await waitFor(async () => (await runningProcesses()).length === 30, { what: 'the limit to be reached' });
    controller.abort(new Error('enough'));
    await expect(failing).rejects.toThrow('enough');
  });

  it('that ignores SIGTERM is killed', async () => {
    const command = await rig.script('deaf', 'trap "" TERM INT HUP\necho ready\nwhile :; do sleep 1; done');
    const controller = new AbortController();
    const failing = rig.run({ command, signal: controller.signal });
    failing.catch(() => {});
    await waitFor(async () => (await runningProcesses()).length > 1, { what: 'the program to run' });
    controller.abort(new Error('enough'));
    await expect(failing).rejects.toThrow('enough');
  });

  it('that leaves its session and its parent ends with the rest', async () => {
    const command = await rig.script(
      'daemon',
      'setsid sh -c "trap \\"\\" TERM; sleep 1000 & sleep 1000" &\nsleep 0.3; echo left',
    );
    expect((await rig.run({ command })).output).toBe('left\n');
    expect(await runningProcesses()).toEqual([]);
  });

  it('that takes too long ends', async () => {
    const failing = rig.run({ command: '/usr/bin/sleep', arguments: ['1000'] }, { RUN_COMMAND_SECONDS: '1' });
    await expect(failing).rejects.toThrow('it took more than 1 s');
  });

  it('that writes without end is stopped', async () => {
    const failing = rig.run({ command: '/usr/bin/yes' }, { RUN_COMMAND_OUTPUT_MB: '1' });
    await expect(failing).rejects.toThrow('its output has more than 1 MiB');
    const flood = await rig.script('flood', 'yes 1>&2 & sleep 0.5');
    expect((await rig.run({ command: flood })).errorText.length).toBeLessThanOrEqual(4_096);
    const file = `/tmp/waybill-run-command-${process.pid}`;
    const writer = await rig.script('writer', `head -c 3000000 /dev/zero > ${file}; stat -c %s ${file}; rm -f ${file}`);
    expect((await rig.run({ command: writer }, { RUN_COMMAND_OUTPUT_MB: '1' })).output.trim()).toBe('1048576');
  });

  it('that needs too much memory gets none', async () => {
    const code = '$x = "x" x 1_000_000_000; print length $x';
    const order = { command: '/usr/bin/perl', arguments: ['-e', code] };
    const { exitCode, output, errorText } = await rig.run(order, { RUN_COMMAND_MEMORY_MB: '128' });
    expect([exitCode === 0, output]).toEqual([false, '']);
    expect(errorText).toContain('memory');
  });
});

describe('a program is refused', () => {
  const refused = (reason: string): object => ({ code: 'command_refused', message: expect.stringContaining(reason) });

  it('that the settings do not name, and they name none by default', async () => {
    const settings = { RUN_COMMANDS: '/usr/bin/true' };
    await expect(rig.run({ command: '/usr/bin/id' }, settings)).rejects.toMatchObject(
      refused('is not in RUN_COMMANDS'),
    );
    await expect(rig.run({ command: '/usr/bin/../bin/true' }, settings)).rejects.toMatchObject(refused('is not in'));
    expect(z.object(commandConfigShape).parse({})).toMatchObject({ RUN_COMMANDS: [] });
    const off = createCommandRunner(undefined)(
      { command: '/usr/bin/true', arguments: [], input: bytes('') },
      AbortSignal.abort(),
    );
    await expect(off).rejects.toMatchObject(refused('is not in RUN_COMMANDS'));
  });

  it('with arguments that its entry does not permit', async () => {
    const command = '/usr/bin/printf';
    const run = (entry: string, ...given: string[]) =>
      rig.run({ command, arguments: given }, { RUN_COMMANDS: `/usr/bin/true,${entry}` });
    await expect(run(command, 'a')).rejects.toMatchObject(refused('add no arguments'));
    expect((await run(`${command} %s:%s fixed VALUES`, 'a')).output).toBe('fixed:a');
    await expect(run(`${command} %s VALUES`, 'a', '-v')).rejects.toMatchObject(refused('add no options'));
    expect((await run(`${command} %s ANY`, '-v')).output).toBe('-v');
  });

  it('that is a symbolic link, or behind one', async () => {
    await symlink('/usr/bin/true', join(rig.folder, 'link'));
    await symlink('/usr/bin', join(rig.folder, 'bin'));
    for (const path of ['link', 'bin/true']) {
      const command = join(rig.folder, path);
      await expect(rig.run({ command })).rejects.toMatchObject(refused('symbolic link: allow /usr/bin/true instead'));
    }
  });

  it('that others could change, or that is no program', async () => {
    const command = await rig.script('changeable', 'true');
    await chmod(command, 0o775);
    await expect(rig.run({ command })).rejects.toMatchObject(refused('written by others'));
    await chmod(command, 0o644);
    await expect(rig.run({ command })).rejects.toMatchObject(refused('no executable file'));
    await chmod(command, 0o755);
    await chown(command, firstUser, 0);
    await expect(rig.run({ command })).rejects.toMatchObject(refused(`belongs to user ${firstUser}`));
    await rm(command);
    await expect(rig.run({ command })).rejects.toMatchObject(refused('cannot be found'));
    await mkdir(command);
    await expect(rig.run({ command })).rejects.toMatchObject(refused('no executable file'));
    await chmod(command, 0o777);
    await expect(rig.run({ command: join(command, 'x') })).rejects.toMatchObject(refused('cannot be found'));
  });

  it.each([
    ['RUN_COMMANDS', 'relative/path'],
    ['RUN_COMMANDS', '/usr/bin/true,/usr/bin/true ANY'],
    ['RUN_COMMAND_USERS', '0-3'],
    ['RUN_COMMAND_USERS', '999-1003'],
    ['RUN_COMMAND_USERS', '61003-61000'],
    ['RUN_COMMAND_USERS', 'nobody'],
  ])('by the settings: %s=%s', (setting, value) => {
    expect(z.object(commandConfigShape).safeParse({ [setting]: value }).success).toBe(false);
  });
});
