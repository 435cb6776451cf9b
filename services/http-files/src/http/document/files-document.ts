import { fileEndpoints } from '@waybill/contracts/endpoints/files/file-endpoints';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { fileInterface } from '@waybill/contracts/endpoints/files/shapes/file-interface';
import { type OpenapiDocument, renderOpenapi } from '@waybill/http-kit/openapi/render-openapi';

/** The OpenAPI document of area D. */
export function filesDocument(): OpenapiDocument {
  return renderOpenapi(
    fileEndpoints,
    { ...fileInterface },
    { mediaType: 'application/json', schema: fileFailureSchema },
  );
}
