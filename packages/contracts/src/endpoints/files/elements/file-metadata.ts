import { z } from 'zod';
import { fileAttributesSchema } from '../shapes/file-attributes.ts';
import { fileElementSchema } from './file-element.ts';

/** The metadata of a file: the element, and one flat object of its attributes, system keys and user keys. */
export const fileMetadataSchema = fileElementSchema
  .omit({ uri: true, metaUri: true })
  .extend({
    attributes: fileAttributesSchema,
    metadata: z
      .record(z.string(), z.string())
      .describe('The attributes, the keys of the system class with their prefix, and the keys of the user')
      .meta({
        example: { size: '2048', 'SPFB_SP2_FILE_SYS_MD.FILE_LENGTH': '2048', BUSINESS_UNIT: 'Accounting' },
      }),
  })
  .meta({ id: 'FileMetadata' });

/** The metadata of a file. */
export type FileMetadata = z.infer<typeof fileMetadataSchema>;
