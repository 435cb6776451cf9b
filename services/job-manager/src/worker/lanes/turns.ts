/** Lets so many go on at a time, in the order in which they asked. A turn ends when it is disposed of. */
export function createTurns(atATime: number): { next(): Promise<AsyncDisposable> } {
  let free = atATime;
  const waiting: (() => void)[] = [];
  return {
    next: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return {
        [Symbol.asyncDispose]: () => {
          const next = waiting.shift();
          if (next) next();
          else free += 1;
          return Promise.resolve();
        },
      };
    },
  };
}
