/** Bits of OPEN's `pflags` (draft-ietf-secsh-filexfer-02, section 6.3). */
export const openFlag = {
  read: 0x01,
  write: 0x02,
  append: 0x04,
  create: 0x08,
  truncate: 0x10,
  exclusive: 0x20,
} as const;
