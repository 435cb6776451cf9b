import { z } from 'zod';
import { attemptedUserNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';

const path = '/platform-application/api/v1/auth/oidc/names';
const tag = 'Access';

const outsideNameSchema = z
  .object({
    name: z.string().describe('The user name').meta({ example: 'jane' }),
    issuer: z.string().describe('The issuer').meta({ example: 'https://login.example.org/realms/example' }),
    subject: z.string().describe('The claim `sub` of the user there').meta({ example: '9d3c2f6e-4b1e-4c55-8a44' }),
    boundAt: z.iso.datetime().describe('The first login').meta({ example: '2026-03-02T05:00:00.000Z' }),
    lastLoginAt: z.iso.datetime().describe('The last login').meta({ example: '2026-04-02T05:00:00.000Z' }),
  })
  .meta({ id: 'OutsideName' });

/** A name of a user of an outside issuer, and whose it is. */
export type OutsideNameView = z.infer<typeof outsideNameSchema>;

/** List the names of users of an outside issuer. */
export const listOutsideNamesEndpoint = defineEndpoint({
  id: 'listOutsideNames',
  tag,
  method: 'GET',
  path,
  summary: 'List whose the names of users of an issuer are',
  description:
    'A name that the claims of an issuer state belongs to the first subject who logs in with it. Users of the configuration are not listed. ' +
    'By name, one page at a time.',
  authentication: { kind: 'bearer', permission: 'identities:read' },
  query: z.strictObject({
    name: attemptedUserNameSchema.optional().describe('Only this name').meta({ example: 'jane' }),
    ...pageShape('Names'),
  }),
  responses: {
    200: {
      description: 'A page of names',
      body: { kind: 'json', schema: pageSchema(outsideNameSchema, 'The names of this page') },
    },
  },
  errors: [],
});

/** Take a name from its subject. */
export const releaseOutsideNameEndpoint = defineEndpoint({
  id: 'releaseOutsideName',
  tag,
  method: 'DELETE',
  path: `${path}/:name`,
  summary: 'Release the name of a user of an issuer',
  description:
    'The next subject who logs in with the name gets it. The sessions of its user end. Audited (`AUD0005A`).',
  authentication: { kind: 'bearer', permission: 'identities:delete' },
  params: z.object({ name: attemptedUserNameSchema.describe('The user name').meta({ example: 'jane' }) }),
  responses: { 204: { description: 'It was released', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'entity_unknown', status: 204 },
  errors: ['entity_unknown'],
});
