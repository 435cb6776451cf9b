import { serveWebApplication } from '@waybill/http-kit/web/serve-web-application';
import type { Config } from '../config.ts';

/** The operators' pages, if this process serves the HTTP interface and there are any. */
export async function serveConsole({ ROLE: role, CONSOLE_FOLDER: folder }: Config) {
  if (folder === undefined || (role !== 'all' && role !== 'api')) return undefined;
  return serveWebApplication({ prefix: '/console', folder });
}
