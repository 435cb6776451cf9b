import { write } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { beatSlot, debuggedSlot, ticksOfStall, type WatchedProcess } from './watched-process.ts';

/** EX_SOFTWARE of sysexits.h. */
const exitCode = 70;
/** Limits the waits for the stalled process, and for standard output. */
const patienceMs = 1_000;

parentPort?.once('message', watch);

function watch(watched: WatchedProcess): void {
  const { beats, tickMs } = watched;
  let lastBeat = -1;
  let silentTicks = 0;
  const timer = setInterval(() => {
    const beat = Atomics.load(beats, beatSlot);
    const isAlive = beat !== lastBeat || Atomics.load(beats, debuggedSlot) === 1;
    lastBeat = beat;
    silentTicks = isAlive ? 0 : silentTicks + 1;
    if (silentTicks < ticksOfStall) return;
    clearInterval(timer);
    void endProcess(watched);
  }, tickMs);
}

async function endProcess(watched: WatchedProcess): Promise<void> {
  // The inspector interrupts JavaScript between two instructions; it cannot interrupt C++ code.
  const session = new Session();
  session.connectToMainThread();
  await Promise.race([report(watched, await stackOf(session)), delay(patienceMs)]);
  void session.post('Runtime.evaluate', { expression: `process.exit(${exitCode})` });
  await delay(patienceMs);
  process.kill(process.pid, 'SIGKILL');
}

async function stackOf(session: Session): Promise<string | undefined> {
  const asking = session.post('Runtime.evaluate', { expression: 'new Error("the event loop stands here").stack' });
  const answer = await Promise.race([asking.catch(() => undefined), delay(patienceMs)]);
  const stack: unknown = answer?.result.value;
  return typeof stack === 'string' ? stack : undefined;
}

/** In the format of the service's log. Not with the logger, whose writes wait for the reader. */
async function report(watched: WatchedProcess, stack: string | undefined): Promise<void> {
  const { service, processNumber, stallMs } = watched;
  const msg = `the event loop was blocked for ${stallMs / 1_000} s: exiting, to be restarted`;
  const time = new Date().toISOString();
  const line = JSON.stringify({ level: 'fatal', time, service, process: processNumber, stallMs, stack, msg });
  const writing = [promisify(write)(1, `${line}\n`), promisify(write)(2, `${service}: ${msg}\n`)];
  await Promise.allSettled(writing);
}
