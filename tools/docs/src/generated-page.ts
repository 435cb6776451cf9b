/** A file that only `pnpm generate-docs` writes. */
export interface GeneratedPage {
  /** From the root of the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}
