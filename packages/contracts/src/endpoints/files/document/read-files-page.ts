import { defineEndpoint } from '../../endpoint.ts';

/** Extension of the interface: the OpenAPI document as an HTML page. */
export const readFilesPageEndpoint = defineEndpoint({
  id: 'readFilesPage',
  tag: 'Files: documentation',
  method: 'GET',
  path: '/2.0/docs',
  summary: 'The OpenAPI document of this interface as an HTML page',
  authentication: { kind: 'none' },
  responses: {
    200: {
      description: 'A self-contained page',
      body: { kind: 'stream', mediaType: 'text/html; charset=utf-8' },
    },
  },
  errors: [],
});
