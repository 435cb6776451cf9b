/** Prints the progress of the tour. */
export interface Narrator {
  /**
   * Runs one step and prints it with its result. A step that throws is printed as failed, and ends the tour.
   * @param outcome describes the result of `work` in a few words
   */
  step<T>(title: string, work: () => Promise<T>, outcome: (result: T) => string): Promise<T>;
  stepsDone(): number;
}

/** Creates a narrator that passes its lines to `print`. */
export function createNarrator(print: (line: string) => void): Narrator {
  let done = 0;
  return {
    async step(title, work, outcome) {
      const startedAtMs = performance.now();
      try {
        const result = await work();
        done += 1;
        const tookMs = Math.round(performance.now() - startedAtMs);
        print(`✓ ${title}\n    ${outcome(result)} (${tookMs} ms)`);
        return result;
      } catch (err) {
        print(`✗ ${title}`);
        throw err;
      }
    },
    stepsDone: () => done,
  };
}
