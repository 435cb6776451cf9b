import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

/** A job manager and what it runs on. Both throw before the first test. */
export interface OneJobManager {
  readonly platform: TestPlatform;
  readonly manager: TestJobManager;
}

/** One for all tests of the calling file; it is started before the first of them. `env` adds to its environment. */
export function oneJobManager(env: Readonly<Record<string, string>> = {}, logger?: Logger): OneJobManager {
  let platform: TestPlatform | undefined;
  let manager: TestJobManager | undefined;
  beforeAll(async () => {
    platform = await startTestPlatform();
    manager = await startTestJobManager({ ...platform, ...(logger && { logger }) }, env);
  });
  afterAll(async () => {
    await manager?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });
  return {
    get platform() {
      return started(platform);
    },
    get manager() {
      return started(manager);
    },
  };
}

/** Another one for each test of the calling file. */
export function freshJobManagers(): OneJobManager {
  let platform: TestPlatform | undefined;
  let manager: TestJobManager | undefined;
  beforeEach(async () => {
    platform = await startTestPlatform();
    manager = await startTestJobManager(platform);
  });
  afterEach(async () => {
    await manager?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
    [manager, platform] = [undefined, undefined];
  });
  return {
    get platform() {
      return started(platform);
    },
    get manager() {
      return started(manager);
    },
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The job manager is started before the first test, and not earlier');
  return part;
}

/** Job managers as processes of their own. */
export interface TestProcesses {
  /**
   * Starts one on a platform, as its `main` or another `program`. `env` adds to its environment; its leases last two
   * seconds.
   */
  start(platform: TestPlatform, env: Readonly<Record<string, string>>, options?: { program?: string }): ChildProcess;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** They are killed after each test of the calling file, and after the last one, if a hook before a test has failed. */
export function testProcesses(): TestProcesses {
  const running = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  };
  afterEach(killAll);
  afterAll(killAll);
  return {
    start: (platform, settings, { program = main } = {}) => {
      const env = spawnEnvironment({ ...platform.env, JOB_LEASE_SECONDS: '2', ...settings });
      const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
      running.add(child);
      child.once('exit', () => running.delete(child));
      return child;
    },
  };
}
