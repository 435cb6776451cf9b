import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { afterEach, beforeEach } from 'vitest';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

/** A platform for each test, and schedulers as processes that can be killed. */
export interface SchedulerRig {
  readonly platform: TestPlatform;
  /** Starts a scheduler whose clock begins at a time. It is killed after the test. */
  start(epochMs: number): ChildProcess;
}

/** The clock of the schedulers passes a minute in so many milliseconds. */
export function schedulerRig({ msPerMinute }: { readonly msPerMinute: number }): SchedulerRig {
  let platform: TestPlatform | undefined;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    platform = await startTestPlatform();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await platform?.[Symbol.asyncDispose]();
    platform = undefined;
  });
  const started = (): TestPlatform => {
    if (!platform) throw new Error('The platform is started before each test, and not earlier');
    return platform;
  };
  const script = fileURLToPath(new URL('scheduler-process.ts', import.meta.url));
  return {
    get platform() {
      return started();
    },
    start: (epochMs) => {
      const env = spawnEnvironment({
        DATABASE_URL: started().env['DATABASE_URL'] ?? '',
        EPOCH_MS: String(epochMs),
        MS_PER_MINUTE: String(msPerMinute),
      });
      const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
      children.push(child);
      return child;
    },
  };
}
