import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { type Outcome, type Waybill, waybillAt } from './waybill.ts';

/** A platform, and `waybill` with logins of its administrator and of acme. */
export interface LoggedIn {
  readonly platform: PlatformProcess;
  readonly home: string;
  readonly waybill: Waybill;
  /** Runs a command that succeeds, and gives what it printed. */
  done(...args: readonly string[]): Promise<string>;
  /** The same with `--json`; one value for each line. */
  json(...args: readonly string[]): Promise<unknown[]>;
}

/** One for all tests of the calling file. */
export function oneLoggedIn(): LoggedIn {
  const resources = new AsyncDisposableStack();
  let [platform, home]: [PlatformProcess | undefined, string] = [undefined, ''];
  const require = (): PlatformProcess => {
    if (!platform) throw new Error('the platform is started before the first test');
    return platform;
  };
  beforeAll(async () => {
    platform = resources.use(await startPlatformProcess());
    home = resources.use(await createTestFolder()).path;
    await waybillAt(home)(['login', '--url', platform.url, '--user', 'admin'], { input: 'admin-demo' });
    await waybillAt(home)(['login', '--url', platform.url, '--user', 'acme', '--partner'], { input: 'acme-demo' });
    await readFile(join(home, '.config', 'waybill', 'contexts.json'));
  });
  afterAll(() => resources.disposeAsync());
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err }: Outcome = await waybillAt(home)(args);
    if (code !== 0 || !/^(?:Target: \S+\n)?$/u.test(err))
      throw new Error(`waybill ${args.join(' ')} ended with ${code}: ${err}`);
    return out;
  };
  return {
    get platform() {
      return require();
    },
    get home() {
      return home;
    },
    get waybill() {
      return waybillAt(home);
    },
    done,
    json: async (...args) =>
      (await done(...args, '--json'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line): unknown => JSON.parse(line)),
  };
}
