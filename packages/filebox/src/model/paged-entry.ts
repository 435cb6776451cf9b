interface PagedCore {
  readonly name: string;
  /** The user who created it; empty for folders of the configuration. */
  readonly owner: string;
  readonly createdAt: string;
  readonly modifiedAt: string;
}

/** A folder on a page. */
export interface PagedFolder extends PagedCore {
  readonly kind: 'folder';
}

/** A file on a page. */
export interface PagedFile extends PagedCore {
  readonly kind: 'file';
  /** Decimal. */
  readonly fileset: string;
  /** In bytes, decimal. */
  readonly size: string;
  readonly mediaType: string;
  readonly putAt: string;
  readonly firstReadAt: string | undefined;
  readonly lastReadAt: string | undefined;
  /** The writable keys of the system class that were set, without prefix. */
  readonly systemMetadata: Readonly<Record<string, string>>;
}

/** An entry on a page, ready for the response: times are ISO 8601 in UTC, to the millisecond. */
export type PagedEntry = PagedFolder | PagedFile;
