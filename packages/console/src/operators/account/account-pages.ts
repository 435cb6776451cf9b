import type { ConsolePage } from '../frame/page.ts';

/** The account of the user. A link at the user's name leads to it. */
export const accountPages: readonly ConsolePage[] = [
  { path: '/account', permissions: [], load: async () => (await import('./account-page.tsx')).AccountPage },
];
