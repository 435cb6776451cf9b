import type { LiveSession } from './live-session.ts';

/** What happens to sessions, on whichever peer. `changed` comes at most once a second for each. */
export type SessionChange =
  | { readonly kind: 'opened' | 'changed'; readonly live: LiveSession }
  | { readonly kind: 'ended'; readonly sessionId: string };

/** Who wants to hear of changes. */
export interface FeedListener {
  changed(changes: readonly SessionChange[]): void;
  /** Changes may have been missed: ask anew how things stand. */
  missed(): void;
}

/** The changes of all peers, as they happen. */
export interface SessionFeed {
  /** @returns what ends it */
  listen(listener: FeedListener): () => void;
}
