/** A setting that is valid but cannot work, or has an effect that is hardly intended. */
export interface Warning {
  /** As in `actors[0].users[0].publicKeys[1].expires`. */
  readonly place: string;
  readonly message: string;
}

/** The warnings as lines for a person; `locate` adds the line of the file. */
export function describeWarnings(warnings: readonly Warning[], locate: (place: string) => string): string[] {
  const lines = warnings.map(({ place, message }) => `! ${locate(place)}: ${message}`);
  return [...new Set(lines)];
}
