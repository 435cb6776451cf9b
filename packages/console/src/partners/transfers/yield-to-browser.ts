/** How long work in parts keeps a page busy before the page may do something else: a frame has 16 ms. */
const busyAtMostMs = 12;

const turns = new MessageChannel();
const waiting: (() => void)[] = [];
turns.port1.addEventListener('message', () => waiting.shift()?.());
turns.port1.start();

/** Lets the page do other things. Timers of a page in the background are slowed down: this is not. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    turns.port2.postMessage(undefined);
  });
}

/** What long work calls again and again: it lets the page do other things as soon as the work has kept it busy for long enough. */
export function createPauses(): () => Promise<void> | undefined {
  let startedAtMs = performance.now();
  return () => {
    if (performance.now() - startedAtMs < busyAtMostMs) return undefined;
    return nextTurn().then(() => {
      startedAtMs = performance.now();
    });
  };
}

/** Does something with each value, and lets the page do other things in between. */
export async function eachInTurn<T>(
  values: Iterable<T>,
  act: (value: T) => void,
  afterPart: () => void,
): Promise<void> {
  const pauseIfBusy = createPauses();
  for (const value of values) {
    act(value);
    const pause = pauseIfBusy();
    if (pause === undefined) continue;
    afterPart();
    await pause;
  }
  afterPart();
}
