/**
 * How much metadata one file has at most, of both classes together: keys, and bytes of keys and values in UTF-8; and how
 * long a single key and a single value are at most.
 */
export const metadataLimits = { keys: 256, bytes: 65_536, keyCharacters: 255, valueCharacters: 4_096 } as const;
