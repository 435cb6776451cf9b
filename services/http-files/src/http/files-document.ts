import { fileEndpoints } from '@waybill/contracts/endpoints/files/file-endpoints';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/file-failure';
import { fileInterface } from '@waybill/contracts/endpoints/files/file-interface';
import { type OpenapiDocument, renderOpenapi } from '@waybill/http-kit/render-openapi';

/** The OpenAPI document of area D. */
export function filesDocument(): OpenapiDocument {
  return renderOpenapi(
    fileEndpoints,
    { ...fileInterface },
    { mediaType: 'application/json', schema: fileFailureSchema },
  );
}
