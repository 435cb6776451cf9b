import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';

/** Extension of the interface: the supported parts of tus. */
export const describeUploadProtocolEndpoint = defineEndpoint({
  id: 'describeUploadProtocol',
  tag: 'Files: resumable uploads',
  method: 'OPTIONS',
  path: '/2.0/uploads',
  summary: 'Get the supported parts of tus 1.0',
  authentication: { kind: 'none' },
  responses: {
    204: {
      description: 'The supported parts, in the headers',
      headers: z.object({
        'tus-version': z.string().describe('Versions of the protocol').meta({ example: '1.0.0' }),
        'tus-extension': z.string().describe('Extensions that are supported').meta({
          example: 'creation,creation-with-upload,creation-defer-length,expiration,checksum,concatenation,termination',
        }),
        'tus-checksum-algorithm': z.string().describe('Supported checksums').meta({ example: 'sha1,sha256' }),
        'tus-max-size': z
          .string()
          .optional()
          .describe('Maximum size of a file in bytes, if there is a limit')
          .meta({ example: '1073741824' }),
      }),
      body: { kind: 'none' },
    },
  },
  errors: [],
});
