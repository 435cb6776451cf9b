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

/** Bits that say which parts of an ATTRS structure are present (draft-ietf-secsh-filexfer-02, section 5). */
export const attributeFlag = {
  size: 0x0000_0001,
  ownership: 0x0000_0002,
  permissions: 0x0000_0004,
  times: 0x0000_0008,
  extended: 0x8000_0000,
} as const;
