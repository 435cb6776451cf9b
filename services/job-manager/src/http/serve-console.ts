import { basePathSetting } from '@waybill/contracts/endpoints/console-settings';
import { serveWebApplication } from '@waybill/http-kit/web/serve-web-application';
import type { Config } from '../config.ts';

/** The operators' pages, if this process serves the HTTP interface and there are any. */
export async function serveConsole(config: Config) {
  const { ROLE: role, CONSOLE_FOLDER: folder, JOB_MANAGER_BASE_PATH: basePath } = config;
  if (folder === undefined || (role !== 'all' && role !== 'api')) return undefined;
  const settings = basePath === '' ? {} : { [basePathSetting]: basePath };
  return serveWebApplication({ prefix: '/console', folder, settings });
}
