import { z } from 'zod';
import { soundTextSchema } from '../../../values/sound-text.ts';

/** Selects elements of a folder. */
export const elementFilterShape = {
  filter: soundTextSchema
    .max(1_024)
    .transform((pattern) => (pattern === '' ? '*' : pattern))
    .prefault('*')
    .describe('Pattern of the names; `*` stands for any characters, and so does none')
    .meta({ example: '*.csv' }),
  type: z.enum(['all', 'files', 'folders']).default('all').describe('Kind of elements').meta({ example: 'files' }),
};
