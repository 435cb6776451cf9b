/** The least that argon2id takes (RFC 9106 section 3.1): 8 KiB, one pass, one lane; less than a tenth of a millisecond. */
export const argon2idCost = { memoryKib: 8, passes: 1, parallelism: 1 } as const;
