import { z } from 'zod';
import { configuredPathSchema, plainNameSchema } from '../../values/configured-names.ts';
import { clientAddressSchema } from '../../values/network.ts';
import { permissionSchema } from '../../values/permission.ts';
import { protocolSchema } from '../../values/protocol.ts';
import { userNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { accessRuleSchema } from './access-rule.ts';

const addressSchema = clientAddressSchema
  .describe('Address of the client; if absent, neither bans of addresses nor the networks of the user are looked at')
  .meta({ example: '10.0.0.5' });
const clusterSchema = plainNameSchema.describe('Name of the cluster').meta({ example: 'cluster1' });
const serverSchema = plainNameSchema.describe('Name of the server').meta({ example: 'sftp-server' });

const questionShape = {
  user: userNameSchema.describe('Name of the user, whether it exists or not').meta({ example: 'acme' }),
  protocol: protocolSchema.meta({ example: 'SFTP' }),
  operation: permissionSchema
    .describe('What the user does; `rename` and `delete` are those of what is at the path now')
    .meta({ example: 'download' }),
  path: configuredPathSchema.describe('As the user names it').meta({ example: '/outbox/x' }),
};

const questionSchema = z
  .strictObject({
    ...questionShape,
    address: addressSchema.optional(),
    cluster: clusterSchema.optional(),
    server: serverSchema.optional().describe('Needed if the user reaches several servers over the protocol'),
  })
  .meta({ id: 'AccessQuestion' });

const explanationSchema = z
  .object({
    ...questionShape,
    path: z.string().describe('As the user names it').meta({ example: '/outbox/x' }),
    address: z.string().optional().describe('Address of the client, if it was given').meta({ example: '10.0.0.5' }),
    cluster: clusterSchema.optional(),
    server: serverSchema.optional().describe('The server of the protocol; absent if there is none'),
    allowed: z.boolean().describe('Whether the user may do it now').meta({ example: true }),
    rules: z
      .array(accessRuleSchema)
      .describe('The rules that decided, in the order in which they were asked. If one refuses, it is the last kind'),
  })
  .meta({ id: 'AccessExplanation' });

/** Whether a user may do something, with the rules that decided. */
export type AccessExplanation = z.infer<typeof explanationSchema>;

/** Explain whether a user may do something. */
export const explainAccessEndpoint = defineEndpoint({
  id: 'explainAccess',
  tag: 'Configuration',
  method: 'POST',
  path: '/platform-application/api/v1/access/explain',
  summary: 'Explain whether a user may do something',
  description:
    'Decides with the rules by which the servers decide, and tells which of them decided. Nothing is changed. It does not look at what is at the path: a download of a missing file fails although it is allowed. A role that is limited to actors learns of their users alone: others do not exist for it.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  body: { kind: 'json', schema: questionSchema },
  responses: {
    200: { description: 'The decision and its rules', body: { kind: 'json', schema: explanationSchema } },
  },
  errors: ['cluster_unknown', 'server_unknown'],
});
