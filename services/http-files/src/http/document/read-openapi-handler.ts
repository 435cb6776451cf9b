import type { readFilesOpenapiEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-openapi';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { filesDocument } from './files-document.ts';

/** The OpenAPI document of area D, rendered once. */
export function createReadOpenapiHandler(): EndpointHandler<typeof readFilesOpenapiEndpoint> {
  const document = filesDocument();
  return async () => ({ status: 200, body: { ...document } });
}
