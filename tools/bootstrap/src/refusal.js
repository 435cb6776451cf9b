/** The bootstrap cannot continue; the message says in one sentence what to do about it. */
export class Refusal extends Error {}
