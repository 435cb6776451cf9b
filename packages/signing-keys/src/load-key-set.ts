import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { hasCode, makeKeyFile, readKeyFile } from './key-file.ts';
import type { KeySet, NamedKey } from './key-set.ts';
import { isPreviousName, nextFileOf, type KeyStore } from './key-store.ts';

/** A key and the file that it was read from. */
export interface StoredKey<K extends NamedKey> {
  readonly file: string;
  readonly key: K;
}

/** All keys of a store with their files. */
export interface StoredKeys<K extends NamedKey, P extends K = K> {
  readonly active: StoredKey<P> | undefined;
  readonly next: StoredKey<P> | undefined;
  /** In the order of their names; none of them is the active one. */
  readonly previous: readonly StoredKey<K>[];
}

/**
 * Reads the keys of a store. If the store is empty, the active key is generated: processes that start together get
 * the same key.
 * @throws CodedError `configuration_invalid` with a sentence that names the setting and the file
 */
export async function loadKeySet<K extends NamedKey, P extends K>(store: KeyStore<K, P>): Promise<KeySet<K, P>> {
  const stored = await readKeyStore(store);
  const active = stored.active?.key ?? (await makeFirstKey(store, stored));
  return { active, next: stored.next?.key, previous: stored.previous.map(({ key }) => key) };
}

/** Reads the keys of a store and generates none. @throws CodedError as `loadKeySet` */
export function readKeyStore<K extends NamedKey, P extends K>(store: KeyStore<K, P>): Promise<StoredKeys<K, P>> {
  return withSetting(store, async () => {
    // If the next key is activated while the files are read, it appears in two of them; at a second read it appears in
    // one.
    const first = await readFiles(store);
    const keys = twinOfNext(first) ? await readFiles(store) : first;
    const twin = twinOfNext(keys);
    if (keys.next && twin) {
      throw new Error(`${keys.next.file} and ${twin.file} hold the same key: remove ${keys.next.file}`);
    }
    return keys;
  });
}

/** Runs a task whose errors are sentences about files, and prefixes them with the setting that names the files. */
export async function withSetting<T>({ setting }: { readonly setting: string }, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('configuration_invalid', { detail: `${setting}: ${reason}`, cause });
  }
}

async function makeFirstKey<K extends NamedKey, P extends K>(
  store: KeyStore<K, P>,
  { next, previous }: StoredKeys<K, P>,
): Promise<P> {
  return withSetting(store, async () => {
    const { file, kind } = store;
    const spare = next ?? previous[0];
    if (spare) {
      throw new Error(
        `${file} is missing, although ${spare.file} is there: restore it, or rename the file of the key that should sign`,
      );
    }
    await makeKeyFile(file, await kind.make());
    const made = await readOne(file, (text) => kind.parse(text));
    if (!made) throw new Error(`${file} was removed after it was created`);
    return made.key;
  });
}

/** In the order in which `activateKey` moves keys, so that each key is found in at least one of the files. */
async function readFiles<K extends NamedKey, P extends K>(store: KeyStore<K, P>): Promise<StoredKeys<K, P>> {
  const { file, kind } = store;
  const next = await readOne(nextFileOf(store), (text) => kind.parse(text));
  const active = await readOne(file, (text) => kind.parse(text));
  const previous = await readPrevious(store);
  // In the middle of an activation the active key is also a previous one.
  const signedEarlier = previous.filter(
    ({ key: { kid } }, index) =>
      kid !== active?.key.kid && previous.findIndex((other) => other.key.kid === kid) === index,
  );
  return { active, next, previous: signedEarlier };
}

function twinOfNext<K extends NamedKey, P extends K>({ active, next, previous }: StoredKeys<K, P>) {
  return next && [active, ...previous].find((other) => other?.key.kid === next.key.kid);
}

async function readPrevious<K extends NamedKey, P extends K>(store: KeyStore<K, P>): Promise<StoredKey<K>[]> {
  const [folder, baseName] = [path.dirname(store.file), path.basename(store.file)];
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`the folder ${folder} cannot be read (${code})`, { cause: error });
  }
  const files = names.filter((name) => isPreviousName(name, baseName)).toSorted();
  const keys = await Promise.all(
    files.map((name) => readOne(path.join(folder, name), (text) => store.kind.parsePrevious(text))),
  );
  return keys.filter((key) => key !== undefined);
}

async function readOne<K extends NamedKey>(
  file: string,
  parse: (text: string) => K,
): Promise<StoredKey<K> | undefined> {
  const text = await readKeyFile(file);
  if (text === undefined) return undefined;
  try {
    return { file, key: parse(text) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} ${reason}`, { cause });
  }
}
