/** Whether a value can have properties. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A property that the types of ssh2 do not declare. @throws TypeError if it is missing */
export function property(target: unknown, name: string): unknown {
  if (!isObject(target) || !(name in target)) throw new TypeError(`ssh2: there is no ${name}`);
  const value: unknown = Reflect.get(target, name);
  return value;
}

/** The same for a method, which is not bound. @throws TypeError */
export function method(target: unknown, name: string): (...parameters: unknown[]) => unknown {
  const value = property(target, name);
  if (typeof value !== 'function') throw new TypeError(`ssh2: ${name} is not a function`);
  return (...parameters) => {
    const result: unknown = Reflect.apply(value, target, parameters);
    return result;
  };
}
