/** The values of a query or form by name: a string, or a list of them if a name occurs more than once. */
export function valuesOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = new Set(parameters.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
