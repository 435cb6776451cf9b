import { expect } from 'vitest';
import { doneBefore, type Doors, rowOf, type Rows } from './row.ts';

const row = rowOf('management', 'admin');
const ofViewer = rowOf('management', 'viewer');
const users = '/platform-application/api/v1/users';

const ask = (method: string, { manager, token }: Doors, path: string, json?: object) =>
  manager.request(method, `${users}/${path}`, { bearer: token, ...(json && { json }) });

async function writeUser(doors: Doors): Promise<void> {
  for (const [method, json] of [
    ['PUT', { actor: 'acme', groups: ['clerks'] }],
    ['PATCH', { enabled: false }],
    ['DELETE', undefined],
  ] as const) {
    const { status, text } = await ask(method, doors, 'clerk', json);
    if (status >= 300) throw new Error(`${method} was refused with ${status}: ${text}`);
  }
}

/** Changes of the configuration over the API. */
export const rowsOfConfiguration: Rows = {
  'an administrator creates a user over the API': row('AUD0001A CREATE clerk', writeUser, {
    difference: expect.stringContaining('clerks'),
  }),
  'an administrator changes a user over the API': row('AUD0003A MODIFY clerk', doneBefore, {
    difference: expect.stringContaining('enabled'),
  }),
  'an administrator deletes a user over the API': row('AUD0005A DELETE clerk', doneBefore),
  'an administrator exports the configuration': row('AUD0082A CREATE', ({ manager, token }) =>
    manager.get('/platform-application/api/v1/configuration/export', { bearer: token }),
  ),
  'an administrator changes what a source owns': row('AUD0015A MODIFY changeUser entity_owned', (doors) =>
    ask('PATCH', doors, 'acme', { enabled: false }),
  ),
  'a user without the role changes a user': ofViewer(
    'AUD0015A MODIFY deleteUser not_permitted',
    ({ manager, viewerToken }) => manager.delete(`${users}/acme`, { bearer: viewerToken }),
  ),
};
