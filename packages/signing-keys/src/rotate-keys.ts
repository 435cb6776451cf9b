import { link, rename, rm, stat } from 'node:fs/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { hasCode, makeKeyFile } from './key-file.ts';
import type { NamedKey } from './key-set.ts';
import { nextFileOf, previousFileOf, type KeyStore } from './key-store.ts';
import { readKeyStore, type StoredKey, withSetting } from './load-key-set.ts';

/**
 * The time between the addition of a key and its first signature, in which all verifiers learn it: services fetch the
 * published keys of other services every five minutes.
 */
export const publicationMs = 300_000;

/**
 * Generates the next key, which is published and accepted but does not sign yet. @throws CodedError if there is one
 * already
 */
export async function addKey<K extends NamedKey, P extends K>(store: KeyStore<K, P>): Promise<P> {
  const { active, next } = await readKeyStore(store);
  if (!active) refuse(store, `${store.file} does not exist yet: the service generates the first key when it starts`);
  if (next) refuse(store, `there already is a next key: ${next.key.kid}`);
  const file = nextFileOf(store);
  const isMade = await withSetting(store, async () => makeKeyFile(file, await store.kind.make()));
  const made = (await readKeyStore(store)).next;
  if (!isMade || !made) refuse(store, `${file} was created by another process at the same time`);
  return made.key;
}

/**
 * Activates the next key, and keeps the active one as a previous one. The files contain every accepted key at any
 * time. A crash leaves a valid store, in which this can be repeated. @throws CodedError if there is no next key, or
 * if it was added less than `leastAgeMs` ago
 */
export async function activateKey<K extends NamedKey, P extends K>(
  store: KeyStore<K, P>,
  { leastAgeMs }: { readonly leastAgeMs: number },
): Promise<P> {
  const { active, next } = await readKeyStore(store);
  if (!active || !next) refuse(store, 'there is no next key: add one first');
  const ageMs = Date.now() - (await stat(next.file)).mtimeMs;
  if (ageMs < leastAgeMs) {
    const seconds = Math.ceil((leastAgeMs - ageMs) / 1_000);
    refuse(
      store,
      `the next key is too new: wait ${seconds} seconds, so that all services have it. Only after a leak: --now.`,
    );
  }
  await withSetting(store, async () => {
    await keepAsPrevious(store);
    await rename(next.file, store.file);
  });
  return next.key;
}

/**
 * Removes a key that does not sign: its signatures are refused from then on. @throws CodedError for any other key, and for a
 * previous key that may have signed something in the last `leastAgeMs`
 */
export async function removeKey<K extends NamedKey, P extends K>(
  store: KeyStore<K, P>,
  kid: string,
  { leastAgeMs }: { readonly leastAgeMs: number },
): Promise<void> {
  // After a crash and a repeated activation, two files contain the same key.
  for (let removed = 0; ; removed += 1) {
    const { active, next, previous } = await readKeyStore(store);
    if (active?.key.kid === kid) refuse(store, `${kid} is the active key: add another one and activate it first`);
    const spare = [next, ...previous].find((stored) => stored?.key.kid === kid);
    if (!spare && removed === 0) refuse(store, `there is no key ${kid}`);
    if (!spare) return;
    if (spare !== next) await expectDisused(store, spare, leastAgeMs);
    await withSetting(store, () => rm(spare.file));
  }
}

/** The file of a key changes its status when the key becomes a previous one, and never before. */
async function expectDisused(
  store: { readonly setting: string },
  { file, key: { kid } }: StoredKey<NamedKey>,
  leastAgeMs: number,
): Promise<void> {
  const { ctimeMs } = await stat(file);
  // The time of a file is more exact than the clock: a file of this millisecond seems to be of the future.
  if (Math.max(0, Date.now() - ctimeMs) >= leastAgeMs) return;
  const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  refuse(
    store,
    `${kid} may have signed until ${time(ctimeMs)}, and its signatures are in use until ${time(ctimeMs + leastAgeMs)}: remove it then. Only after a leak: --now.`,
  );
}

async function keepAsPrevious(store: { readonly file: string }): Promise<void> {
  for (let number = 1; ; number += 1) {
    try {
      await link(store.file, previousFileOf(store, number));
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

function refuse({ setting }: { readonly setting: string }, detail: string): never {
  throw new CodedError('configuration_invalid', { detail: `${setting}: ${detail}` });
}
