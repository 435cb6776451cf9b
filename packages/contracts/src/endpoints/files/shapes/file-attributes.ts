import { z } from 'zod';

const timestamp = (description: string) =>
  z.string().describe(`${description}; ISO 8601, UTC`).meta({ example: '2026-03-02T08:15:30.410Z' });

/** The attributes of an element besides its name. All are strings, which may be empty. */
export const fileAttributesSchema = z
  .object({
    dstFileName: z.string().describe('Name of the file at its destination').meta({ example: 'INV-17.csv' }),
    size: z.string().describe('Bytes, decimal').meta({ example: '2048' }),
    correlationId: z.string().describe('Correlation id set by the uploader').meta({ example: 'order-17' }),
    putDate: timestamp('When the file was stored'),
    firstReadDate: timestamp('When the file was first downloaded'),
    lastModifiedTime: timestamp('When the element was last modified'),
    lastAccessTime: timestamp('When the file was last downloaded'),
    creationTime: timestamp('When the element was created'),
    datatype: z.string().describe('Media type').meta({ example: 'text/csv' }),
    description: z.string().describe('Description set by the uploader').meta({ example: 'Invoices of March' }),
  })
  .meta({ id: 'FileAttributes' });

/** The attributes of an element besides its name. */
export type FileAttributes = z.infer<typeof fileAttributesSchema>;

/** The name of an attribute. */
export const fileAttributeNameSchema = fileAttributesSchema.keyof();

/** The name of an attribute. */
export type FileAttributeName = z.infer<typeof fileAttributeNameSchema>;
