import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/** The keys that secrets are encrypted with. The keys do not print. */
export interface KeyRing {
  /** The id of the key that encrypts. */
  readonly activeId: string;
  /** All ids, the active one first: the others are retired and only decrypt. */
  readonly ids: readonly string[];
  /** @throws CodedError `secret_unreadable` if the ring has no such key */
  keyOf(id: string): KeyObject;
}

const entry = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63}):([A-Za-z0-9+/_-]{43}=?)$/u;

/**
 * Parses a key ring: entries `<id>:<32 bytes in Base64>`, separated by blanks, lines or commas. The first key encrypts, all
 * of them decrypt. `setting` names the ring in errors, which never contain a key.
 * @throws CodedError `configuration_invalid`
 */
export function parseKeyRing(text: string, setting: string): KeyRing {
  const keys = new Map<string, KeyObject>();
  const entries = text.split(/[\s,]+/u).filter((part) => part !== '');
  for (const [index, part] of entries.entries()) {
    const [, id, encoded] = entry.exec(part) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (id === undefined || key.length !== 32) {
      refuse(setting, `entry ${index + 1} is not <id>:<32 bytes in Base64>; \`waybill secret new-key\` prints one`);
    }
    if (keys.has(id)) refuse(setting, `the id ${id} occurs twice`);
    keys.set(id, createSecretKey(key));
  }
  const ids = [...keys.keys()];
  const [activeId] = ids;
  if (activeId === undefined) return refuse(setting, 'has no key; `waybill secret new-key` prints one');
  return {
    activeId,
    ids,
    keyOf: (id) => {
      const key = keys.get(id);
      if (key) return key;
      throw new CodedError('secret_unreadable', { detail: `${setting} has no key with the id ${id}` });
    },
  };
}

/** A new entry of a key ring; its id begins with the day, so that ids tell the age of keys. */
export function newKeyRingEntry(now = new Date()): string {
  const id = `${now.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(32).toString('base64')}`;
}

function refuse(setting: string, message: string): never {
  throw new CodedError('configuration_invalid', {
    detail: `${setting}: ${message}`,
    fields: [{ field: setting, message }],
  });
}
