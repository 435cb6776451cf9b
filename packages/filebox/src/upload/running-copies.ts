/** Copies of whole files into an upload, one after the other. */
export class RunningCopies {
  #last: Promise<void> | undefined;

  /** Settles, without an error, when all copies are done; undefined while none runs. */
  get settled(): Promise<void> | undefined {
    return this.#last;
  }

  /** Runs a copy after those before it. */
  run(copy: () => Promise<void>): Promise<void> {
    const copied = this.#last ? this.#last.then(copy) : copy();
    const settled = copied
      .catch(() => {})
      .then(() => {
        if (this.#last === settled) this.#last = undefined;
      });
    this.#last = settled;
    return copied;
  }
}
