import { z } from 'zod';

/** A strong entity tag (this service's SHA-256, or that of another server), or a weak one. */
const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** A list of entity tags, or `*` (RFC 9110 sections 13.1.1 and 13.1.2). */
export const entityTagsSchema = z
  .string()
  .regex(new RegExp(`^(?:\\*|${entityTag}(?:\\s*,\\s*${entityTag})*)$`, 'u'), 'is to be entity tags, or *');
