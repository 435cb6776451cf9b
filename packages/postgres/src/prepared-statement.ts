/** SQL that each connection parses and plans once. */
export interface PreparedStatement {
  /** Unique for a text within the process. */
  readonly name: string;
  /** With `$1`, `$2`, ... */
  readonly text: string;
  /** The names of the parameters. */
  readonly parameters: readonly string[];
}

const namedParameter = /(?<!:):([a-z]\w*)/giu;

/**
 * A statement whose parameters are written as `:name`; one that occurs several times is one parameter, of one type. No
 * string in it may have a colon.
 */
export function prepareStatement(name: string, sql: string): PreparedStatement {
  const parameters: string[] = [];
  const text = sql.replaceAll(namedParameter, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { name, text, parameters };
}
