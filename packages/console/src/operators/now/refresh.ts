/** How often what the page shows is read again, in milliseconds. */
export const refreshEveryMs = {
  /** What operators watch and change together. */
  live: 1_000,
  /** The health of the platform, which the server checks every three seconds. */
  checked: 3_000,
  /** What changes slowly. */
  slow: 10_000,
  /** What costs the server more. */
  costly: 60_000,
  /** Each reading of it is a record of the audit log. */
  recorded: 600_000,
} as const;
