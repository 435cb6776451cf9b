/** Prints the progress of the tour. */
export interface Narrator {
  /**
   * Does one step and prints it with what came of it. A step that throws is printed as failed, and ends the tour.
   *
   * @param outcome says in a few words what `work` resolved to
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
