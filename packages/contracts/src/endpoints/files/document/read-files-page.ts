import { defineEndpoint } from '../../endpoint.ts';

/** Beyond the interface: the OpenAPI document as a page for people. */
export const readFilesPageEndpoint = defineEndpoint({
  id: 'readFilesPage',
  tag: 'Files: documentation',
  method: 'GET',
  path: '/2.0/docs',
  summary: 'The OpenAPI document of this interface as a page',
  authentication: { kind: 'none' },
  responses: {
    200: {
      description: 'A page that needs nothing else',
      body: { kind: 'stream', mediaType: 'text/html; charset=utf-8' },
    },
  },
  errors: [],
});
