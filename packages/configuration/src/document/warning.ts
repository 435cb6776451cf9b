/** A valid setting that cannot work, or whose effect is probably not intended. */
export interface Warning {
  /** As in `actors[0].users[0].publicKeys[1].expires`. */
  readonly place: string;
  readonly message: string;
}

/** The warnings as lines of text; `locate` adds the line of the file. */
export function describeWarnings(warnings: readonly Warning[], locate: (place: string) => string): string[] {
  const lines = warnings.map(({ place, message }) => `! ${locate(place)}: ${message}`);
  return [...new Set(lines)];
}
