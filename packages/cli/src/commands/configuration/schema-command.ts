import { createDocumentSchema } from '@waybill/configuration/document/document-schema';
import type { Command } from '../../command.ts';

/** Prints the JSON Schema of configuration files. */
export const schemaCommand: Command = {
  summary:
    'Prints the JSON Schema of configuration files, with which editors check and complete them. It needs no platform.',
  examples: ['waybill schema > waybill.schema.json'],
  run: ({ out }) => {
    out(JSON.stringify(createDocumentSchema(), undefined, 2));
    return Promise.resolve();
  },
};
