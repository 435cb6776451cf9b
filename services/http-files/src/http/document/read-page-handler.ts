import { readFilesOpenapiEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-openapi';
import type { readFilesPageEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-page';
import { renderOpenapiPage } from '@waybill/http-kit/openapi/render-openapi-page';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { filesDocument } from './files-document.ts';

/** The document as an HTML page, rendered once. */
export function createReadPageHandler(): EndpointHandler<typeof readFilesPageEndpoint> {
  const { html, headers } = renderOpenapiPage(filesDocument(), readFilesOpenapiEndpoint.path);
  const body = Buffer.from(html);
  return async () => ({ status: 200, body, headers });
}
