import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** A competing load: one process per core that only computes. Disposing of it ends it. */
export function keepCoresBusy(): AsyncDisposable {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', 'for (;;) {}'], { stdio: 'ignore' }),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      const ended = loops.map((loop) => once(loop, 'exit'));
      for (const loop of loops) loop.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}
