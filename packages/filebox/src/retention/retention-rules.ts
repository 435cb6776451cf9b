/** What the configuration says about the time after which files are deleted: the `Directory` answers it. */
export interface RetentionRules {
  /** One for each VFS of which something is said. */
  listRetention(): Promise<
    readonly {
      vfsId: string;
      hoursAfterPut: number | undefined;
      /** Since the last complete read. */
      hoursAfterGet: number | undefined;
    }[]
  >;
}
