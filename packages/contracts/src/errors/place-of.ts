/**
 * The text for a path in a request or in the configuration: `actors[0].name` for `['actors', 0, 'name']`. Errors and warnings name
 * places in this form, and the command line finds their lines by it.
 */
export function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? String(step) : `.${String(step)}`;
    })
    .join('');
}
