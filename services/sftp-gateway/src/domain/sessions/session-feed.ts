import type { LiveSession } from './server-session.ts';

/** Events of the sessions of all peers. `changed` is sent at most once a second for each session. */
export type SessionChange =
  | { readonly kind: 'opened' | 'changed'; readonly live: LiveSession }
  | { readonly kind: 'ended'; readonly sessionId: string };

/** Receives the changes. */
export interface FeedListener {
  changed(changes: readonly SessionChange[]): void;
  /** Changes may have been missed: query the sessions again. */
  missed(): void;
}

/** The changes of all peers. */
export interface SessionFeed {
  /** @returns a function that ends it */
  listen(listener: FeedListener): () => void;
}
