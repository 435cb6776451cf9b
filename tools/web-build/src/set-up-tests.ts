import { ensureWebApplications } from './web-applications.ts';

/** Set-up of the tests that start platforms: builds the web applications once, before each of the first platforms would. */
export async function setup(): Promise<void> {
  await ensureWebApplications(console.log, new AbortController().signal);
}
