/**
 * The limits of the metadata of one file, of both classes together: the number of keys, the bytes of keys and values in
 * UTF-8, and the length of a single key and of a single value.
 */
export const metadataLimits = { keys: 256, bytes: 65_536, keyCharacters: 255, valueCharacters: 4_096 } as const;
