/**
 * The ATTRS structure (draft-ietf-secsh-filexfer-02, section 5); a part that is absent was not sent.
 * `size` in bytes, up to 2^53 - 1; `permissions` the POSIX mode with its file type bits; times in seconds since 1970.
 */
export interface FileAttributes {
  readonly size?: number;
  readonly ownership?: { readonly uid: number; readonly gid: number };
  readonly permissions?: number;
  readonly times?: { readonly accessed: number; readonly modified: number };
  readonly extended?: readonly { readonly name: string; readonly data: Buffer }[];
}
