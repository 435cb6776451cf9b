/**
 * Loaded into a process with `--import`: its wall clock is off by `CLOCK_OFFSET_MS`, as on a machine whose clock is set
 * wrong. `performance.now` and timers are monotonic and are not changed.
 */
const offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);

globalThis.Date = new Proxy(Date, {
  construct: (target, parts: unknown[], subclass) => {
    const made: unknown = Reflect.construct(target, parts.length === 0 ? [target.now() + offsetMs] : parts, subclass);
    if (made instanceof target) return made;
    throw new Error('A Date is not a Date');
  },
  apply: (target) => new target(target.now() + offsetMs).toString(),
  get: (target, key, receiver) => {
    const value: unknown = key === 'now' ? () => target.now() + offsetMs : Reflect.get(target, key, receiver);
    return value;
  },
});
