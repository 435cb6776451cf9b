/** A file of the workspace: its path from the root, with `/`, and its whole text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}
