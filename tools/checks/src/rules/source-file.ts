/** A file of the workspace: its path from the root, with `/`, and its whole text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A violation of a house rule: where, and how to fix it. */
export interface Finding {
  readonly path: string;
  /** Counted from 1; absent if the finding concerns the whole file. */
  readonly line?: number;
  readonly message: string;
}

/** The number, from 1, of the line that the character at `offset` is on. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
