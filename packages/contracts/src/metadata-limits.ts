/** How much metadata one file has at most, of both classes together: keys, and bytes of keys and values in UTF-8. */
export const metadataLimits = { keys: 256, bytes: 65_536 } as const;
