import { readFilesOpenapiEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-openapi';
import type { readFilesPageEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-page';
import { fileEndpoints, fileInterface } from '@waybill/contracts/endpoints/files/file-endpoints';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { type OpenapiDocument, renderOpenapi } from '@waybill/http-kit/openapi/render-openapi';
import { renderOpenapiPage } from '@waybill/http-kit/openapi/render-openapi-page';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';

/** The OpenAPI document of area D. */
export function filesDocument(): OpenapiDocument {
  return renderOpenapi(
    fileEndpoints,
    { ...fileInterface },
    { mediaType: 'application/json', schema: fileFailureSchema },
  );
}

/** The OpenAPI document of area D, rendered once. */
export function createReadOpenapiHandler(): EndpointHandler<typeof readFilesOpenapiEndpoint> {
  const document = filesDocument();
  return async () => ({ status: 200, body: { ...document } });
}

/** The document as an HTML page, rendered once. */
export function createReadPageHandler(): EndpointHandler<typeof readFilesPageEndpoint> {
  const { html, headers } = renderOpenapiPage(filesDocument(), readFilesOpenapiEndpoint.path);
  const body = Buffer.from(html);
  return async () => ({ status: 200, body, headers });
}
