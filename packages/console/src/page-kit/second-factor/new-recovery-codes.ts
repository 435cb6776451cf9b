import { createStore } from '../create-store.ts';

/** Recovery codes that the server has just made, until the user has kept them. */
export const newRecoveryCodes = createStore<readonly string[] | undefined>(undefined);
