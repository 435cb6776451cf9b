import { z } from 'zod';

/** The part of an address after the endpoint, decoded: a virtual path, relative to the root that the user sees. */
export const elementPathSchema = z.object({
  path: z
    .string()
    .default('')
    .describe(
      'Virtual path of any number of names, relative to the root or with a leading slash; `/` is the root. Its slashes are sent ' +
        'unencoded, with each name percent-encoded where needed, or all encoded as `%2F`, as generated clients send them.',
    )
    .meta({ example: 'inbox/invoice.csv' }),
});
