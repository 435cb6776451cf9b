import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { elementFilterShape } from './folder-listing.ts';

/** D8: count the elements of a folder. */
export const countElementsEndpoint = defineEndpoint({
  id: 'countElements',
  tag: 'Files: folders',
  method: 'GET',
  path: '/2.0/countelements{/*path}',
  summary: 'Count files and folders',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  query: z.strictObject(elementFilterShape),
  responses: {
    200: { description: 'How many there are', body: { kind: 'json', schema: z.int().meta({ example: 1 }) } },
  },
  errors: ['connection_contract_missing', 'no_list_permission', 'path_not_found'],
  invalidRequestCode: 'file_request_invalid',
});
