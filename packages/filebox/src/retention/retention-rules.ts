/** The configured times after which files are deleted. `Directory` implements it. */
export interface RetentionRules {
  /** One element for each VFS with a rule. */
  listRetention(): Promise<
    readonly {
      vfsId: string;
      hoursAfterPut: number | undefined;
      /** Since the last complete read. */
      hoursAfterGet: number | undefined;
    }[]
  >;
}
