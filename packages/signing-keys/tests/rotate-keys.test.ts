import { link, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { keysOf, type NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, removeKey } from '@waybill/signing-keys/rotate-keys';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ed25519Store } from './ed25519-store.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let store: KeyStore<NamedKey>;
let first: NamedKey;

const atOnce = { leastAgeMs: 0 };

beforeEach(async () => {
  folder = await createTestFolder();
  store = ed25519Store(path.join(folder.path, 'test.pem'));
  first = (await loadKeySet(store)).active;
});

afterEach(() => folder.remove());

describe('a rotation', () => {
  it('goes from active over previous to gone, as often as wanted', async () => {
    const second = await addKey(store);
    expect(await loadKeySet(store)).toEqual({ active: first, next: second, previous: [] });
    expect(await activateKey(store, atOnce)).toEqual(second);
    expect(await loadKeySet(store)).toEqual({ active: second, next: undefined, previous: [first] });
    const third = await addKey(store);
    await activateKey(store, atOnce);
    expect(await loadKeySet(store)).toEqual({ active: third, next: undefined, previous: [first, second] });
    await removeKey(store, first.kid, atOnce);
    expect(await loadKeySet(store)).toEqual({ active: third, next: undefined, previous: [second] });
    await addKey(store);
    await activateKey(store, atOnce);
    expect((await loadKeySet(store)).previous).toEqual([third, second]);
  });

  it('can be given up before the new key signs', async () => {
    const { kid } = await addKey(store);
    await removeKey(store, kid, { leastAgeMs: 900_000 });
    expect(await loadKeySet(store)).toEqual({ active: first, next: undefined, previous: [] });
  });

  it('at no moment hides a key that has been accepted from one who reads the files', async () => {
    const second = await addKey(store);
    const activation = new AbortController();
    const seen = (async () => {
      const sets: string[][] = [];
      while (!activation.signal.aborted) sets.push(keysOf(await loadKeySet(store)).map(({ key }) => key.kid));
      return sets;
    })();
    await activateKey(store, atOnce);
    activation.abort();
    for (const kids of await seen) expect(kids.toSorted()).toEqual([first.kid, second.kid].toSorted());
  });

  it('continues after a crash in the middle of an activation, and leaves no copy after a removal', async () => {
    const second = await addKey(store);
    await link(store.file, `${store.file}.previous`);
    expect(await loadKeySet(store)).toEqual({ active: first, next: second, previous: [] });
    await activateKey(store, atOnce);
    expect(await loadKeySet(store)).toEqual({ active: second, next: undefined, previous: [first] });
    await removeKey(store, first.kid, atOnce);
    expect(await readdir(folder.path)).toEqual(['test.pem']);
  });
});

describe('a step that does harm', () => {
  const refusals: [string, () => Promise<unknown>, RegExp][] = [
    ['a second next key', async () => [await addKey(store), await addKey(store)], /there already is a next key/u],
    ['an activation without a next key', () => activateKey(store, atOnce), /there is no next key: add one first/u],
    [
      'an activation before others have read the key',
      async () => [await addKey(store), await activateKey(store, { leastAgeMs: 300_000 })],
      /the next key is too new: wait \d+ seconds/u,
    ],
    ['the removal of the active key', () => removeKey(store, first.kid, atOnce), /is the active key: add another one/u],
    [
      'the removal of a key whose signatures are still in use',
      async () => {
        await addKey(store);
        await activateKey(store, atOnce);
        await removeKey(store, first.kid, { leastAgeMs: 900_000 });
      },
      /may have signed until \S+Z, and its signatures are in use until \S+Z: remove it then\. Only after a leak: --now\./u,
    ],
    ['the removal of an unknown key', () => removeKey(store, 'unheard-of', atOnce), /there is no key unheard-of/u],
    [
      'a first key, which the service makes',
      () => addKey(ed25519Store(path.join(folder.path, 'none.pem'))),
      /none\.pem does not exist yet: the service generates the first key when it starts/u,
    ],
  ];

  it.each(refusals)('is refused: %s', async (_what, act, message) => {
    const text = await readFile(store.file, 'utf8');
    await expect(act()).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(new RegExp(`^TEST_KEY_FILE: .*${message.source}`, 'u')) as string,
    });
    expect([
      await readFile(store.file, 'utf8'),
      await readFile(`${store.file}.previous`, 'utf8').catch(() => ''),
    ]).toContain(text);
  });

  it('is allowed at once if it is asked for, even in the millisecond of the activation', async () => {
    await addKey(store);
    await activateKey(store, atOnce);
    const { ctimeMs } = await stat(`${store.file}.previous`);
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(ctimeMs) - 1 });
    try {
      await removeKey(store, first.kid, atOnce);
    } finally {
      vi.useRealTimers();
    }
    expect((await loadKeySet(store)).previous).toEqual([]);
  });

  it('is allowed once it does no harm: the removal of a key whose signatures are out of use', async () => {
    await addKey(store);
    await activateKey(store, atOnce);
    const removal = () => removeKey(store, first.kid, { leastAgeMs: 900_000 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 895_000 });
    try {
      await expect(removal()).rejects.toMatchObject({ code: 'configuration_invalid' });
      vi.setSystemTime(Date.now() + 10_000);
      await removal();
    } finally {
      vi.useRealTimers();
    }
    expect((await loadKeySet(store)).previous).toEqual([]);
  });
});

it('a link to nothing in the place of the next key is named, and left alone', async () => {
  const file = `${store.file}.next`;
  await symlink(path.join(folder.path, 'gone.pem'), file);
  await expect(addKey(store)).rejects.toMatchObject({
    code: 'configuration_invalid',
    message: expect.stringMatching(
      /^TEST_KEY_FILE: .*test\.pem\.next is a symbolic link to a file that does not exist: remove the link/u,
    ) as string,
  });
  expect(await readlink(file)).toBe(path.join(folder.path, 'gone.pem'));
  expect((await readdir(folder.path)).toSorted()).toEqual(['test.pem', 'test.pem.next']);
});
