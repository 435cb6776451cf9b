import type { NamedKey } from './key-set.ts';

/** Generates and parses the keys of one algorithm. */
export interface KeyKind<K extends NamedKey, P extends K = K> {
  /** The text of a new private key. */
  make(): string | Promise<string>;
  /** Reads a private key. @throws Error whose message is a sentence without its subject, the file */
  parse(text: string): P;
  /** Reads a key that no longer signs, which may be only the public key if that is enough. @throws Error as `parse` */
  parsePrevious(text: string): K;
}

/**
 * The files of the keys of one purpose: `file` has the active key, `<file>.next` the next one, and `<file>.previous`
 * and `<file>.previous-<anything>` the previous ones.
 */
export interface KeyStore<K extends NamedKey, P extends K = K> {
  /** Names the keys in logs, in metrics and on the command line: `tokens`. */
  readonly purpose: string;
  /** The name of the setting of the path. */
  readonly setting: string;
  readonly file: string;
  readonly kind: KeyKind<K, P>;
}

/** The file of the next key. */
export function nextFileOf({ file }: { readonly file: string }): string {
  return `${file}.next`;
}

/** The file of a previous key; the first one has no number. */
export function previousFileOf({ file }: { readonly file: string }, number: number): string {
  return number === 1 ? `${file}.previous` : `${file}.previous-${number}`;
}

/** True for the name of a previous key of `baseName`. */
export function isPreviousName(name: string, baseName: string): boolean {
  return name === `${baseName}.previous` || name.startsWith(`${baseName}.previous-`);
}
