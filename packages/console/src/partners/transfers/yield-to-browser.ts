/** How long work in parts keeps a page busy before the page may do something else: a frame has 16 ms. */
const busyAtMostMs = 12;

/** Does something with each value, and lets the page do other things in between. */
export async function eachInTurn<T>(
  values: Iterable<T>,
  act: (value: T) => void,
  afterPart: () => void,
): Promise<void> {
  let startedAtMs = performance.now();
  for (const value of values) {
    act(value);
    if (performance.now() - startedAtMs < busyAtMostMs) continue;
    afterPart();
    await new Promise((resolve) => setTimeout(resolve));
    startedAtMs = performance.now();
  }
  afterPart();
}
