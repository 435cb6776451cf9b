import type { Page } from 'playwright-core';

/** What a page did while it was scrolled. */
export interface ScrollCosts {
  /** The processor time of the longest task of its main thread, in milliseconds. */
  readonly longestTaskMs: number;
  /** The processor time of all tasks. */
  readonly totalMs: number;
  /** Tasks that were measured. */
  readonly tasks: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Scrolls the list of a page from the first row to the last, as a user does who drags the bar, then turns the wheel. The
 * processor time of each task is measured, not the time on the clock, which other processes lengthen. `rows` selects what scrolls.
 */
export async function scrollThrough(page: Page, rows = '.grid-rows'): Promise<ScrollCosts> {
  return costsOfTasks(page, async () => {
    await page.evaluate(`(async () => {
      const rows = document.querySelector(${JSON.stringify(rows)});
      const frame = () => new Promise((shown) => requestAnimationFrame(shown));
      const height = rows.scrollHeight;
      for (let step = 0; step <= 120; step += 1) {
        rows.scrollTop = (height * step) / 120;
        await frame();
      }
      for (let step = 0; step < 120; step += 1) {
        rows.scrollTop -= 400;
        await frame();
      }
    })()`);
  });
}

/**
 * The costs of up to three scrolls, with the shortest of their longest tasks: a scroll whose longest task takes `enoughMs` at most is
 * the last one. What else the machine does, and collecting garbage of what was done before, only ever lengthens tasks.
 */
export async function leastScrollCosts(
  page: Page,
  { rows, enoughMs }: { readonly rows?: string; readonly enoughMs: number },
): Promise<ScrollCosts> {
  let least = await scrollThrough(page, rows);
  for (let others = 2; others > 0 && least.longestTaskMs > enoughMs; others -= 1) {
    const costs = await scrollThrough(page, rows);
    if (costs.longestTaskMs < least.longestTaskMs) least = costs;
  }
  return least;
}

/** Measures the tasks of a page while something is done. */
export async function costsOfTasks(page: Page, work: () => Promise<void>): Promise<ScrollCosts> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  return costsOf(traceEvents);
}

/** A renderer's main thread is the one that says so. The page is its only one that is busy. */
function costsOf(events: readonly TraceEvent[]): ScrollCosts {
  const mainThreads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = events.filter(
    ({ name, pid, tid, tdur }) =>
      name === 'ThreadControllerImpl::RunTask' && tdur !== undefined && mainThreads.has(`${pid}/${tid}`),
  );
  const times = tasks.map(({ tdur = 0 }) => tdur / 1_000);
  return {
    longestTaskMs: times.reduce((longest, time) => Math.max(longest, time), 0),
    totalMs: times.reduce((total, time) => total + time, 0),
    tasks: tasks.length,
  };
}
