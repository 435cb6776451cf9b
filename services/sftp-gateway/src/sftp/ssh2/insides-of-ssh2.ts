/** What has members. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A member that the types of ssh2 do not tell of. @throws TypeError when there is none */
export function property(target: unknown, name: string): unknown {
  if (!isObject(target) || !(name in target)) throw new TypeError(`ssh2: there is no ${name}`);
  const value: unknown = Reflect.get(target, name);
  return value;
}

/** The same of a method, which is not bound to anything. @throws TypeError */
export function method(target: unknown, name: string): (...parameters: unknown[]) => unknown {
  const value = property(target, name);
  if (typeof value !== 'function') throw new TypeError(`ssh2: ${name} is not a function`);
  return (...parameters) => {
    const result: unknown = Reflect.apply(value, target, parameters);
    return result;
  };
}
