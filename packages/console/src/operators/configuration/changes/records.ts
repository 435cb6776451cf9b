/** Whether a value is an object with names and values. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of its own that an object has under a name. */
export function valueOf(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}
