/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; some 25 ms of one core. */
export const argon2idCost = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const;
