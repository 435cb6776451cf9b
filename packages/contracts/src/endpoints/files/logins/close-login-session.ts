import { defineEndpoint } from '../../endpoint.ts';
import { fileResultSchema } from '../shapes/file-result.ts';

/** Extension of the interface: log out. */
export const closeLoginSessionEndpoint = defineEndpoint({
  id: 'closeLoginSession',
  tag: 'Files: login sessions',
  method: 'POST',
  path: '/2.0/logout',
  summary: 'Log out',
  description: 'Ends the login session on every peer and deletes the cookies of the client.',
  authentication: { kind: 'login-session' },
  responses: { 200: { description: 'Logged out', body: { kind: 'json', schema: fileResultSchema } } },
  errors: [],
});
