/** Bits that say which parts of an ATTRS structure are present (draft-ietf-secsh-filexfer-02, section 5). */
export const attributeFlag = {
  size: 0x0000_0001,
  ownership: 0x0000_0002,
  permissions: 0x0000_0004,
  times: 0x0000_0008,
  extended: 0x8000_0000,
} as const;
