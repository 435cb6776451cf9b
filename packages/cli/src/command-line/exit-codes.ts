/** The exit codes of `waybill`; docs/command-line.md explains them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  misused: 2,
  /** `apply --without-removals` would have removed something; or the answer of `explain` is no. */
  refused: 3,
  notLoggedIn: 4,
  unreachable: 5,
  /** SIGINT or SIGTERM: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;
