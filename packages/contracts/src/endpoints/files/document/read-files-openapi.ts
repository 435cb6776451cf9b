import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';

/** Extension of the interface: its OpenAPI document. */
export const readFilesOpenapiEndpoint = defineEndpoint({
  id: 'readFilesOpenapi',
  tag: 'Files: documentation',
  method: 'GET',
  path: '/2.0/openapi.json',
  summary: 'The OpenAPI document of this interface',
  authentication: { kind: 'none' },
  responses: {
    200: { description: 'OpenAPI 3.1', body: { kind: 'json', schema: z.record(z.string(), z.unknown()) } },
  },
  errors: [],
});
