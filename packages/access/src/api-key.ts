import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** What API keys begin with, so that scanners for secrets find them. */
const prefix = 'wbk_';
const randomLength = 32;

/** 32 random bytes and their checksum of 4 bytes. */
const form = /^wbk_([\w-]{48})$/u;

/** A new key: `wbk_` and 48 characters, of which the last ones are a checksum. */
export function newApiKey(): string {
  const random = randomBytes(randomLength);
  return `${prefix}${Buffer.concat([random, checksumOf(random)]).toString('base64url')}`;
}

/** Whether a bearer token claims to be an API key. */
export function isApiKey(token: string): boolean {
  return token.startsWith(prefix);
}

/** What is stored of a key; `undefined` for a text that cannot be one. A key is random and long: a plain hash is enough. */
export function apiKeyHash(key: string): Buffer | undefined {
  const encoded = form.exec(key)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  const [random, checksum] = [bytes.subarray(0, randomLength), bytes.subarray(randomLength)];
  return checksumOf(random).equals(checksum) ? createHash('sha256').update(key).digest() : undefined;
}

/** Deletes all API keys of a manager user. */
export async function deleteApiKeys(on: Queryable, owner: UserName): Promise<void> {
  await on.raw('DELETE FROM access.api_keys WHERE owner = ?', [owner]);
}

/**
 * Takes actors from the keys that are limited to them: an actor that gets one of their names later is another one. A key that is
 * limited to no other actor is deleted.
 */
export async function dropActorsOfApiKeys(on: Queryable, actors: readonly string[]): Promise<void> {
  const names = 'ARRAY (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))';
  const bindings = { actors: JSON.stringify(actors) };
  await on.raw(`DELETE FROM access.api_keys WHERE actors <@ ${names}`, bindings);
  await on.raw(
    `UPDATE access.api_keys SET actors = ARRAY (
         SELECT name FROM unnest(actors) WITH ORDINALITY AS kept (name, position)
          WHERE name <> ALL (${names}) ORDER BY position)
      WHERE actors && ${names}`,
    bindings,
  );
}

/**
 * Takes roles from the keys that have them: a role that gets one of their names later is another one. A key that has neither
 * another role nor permissions is deleted.
 */
export async function dropRolesOfApiKeys(on: Queryable, roles: readonly string[]): Promise<void> {
  const names = 'ARRAY (SELECT jsonb_array_elements_text(CAST(:roles AS jsonb)))';
  const bindings = { roles: JSON.stringify(roles) };
  await on.raw(
    `DELETE FROM access.api_keys WHERE roles <@ ${names} AND roles <> '{}' AND permissions = '{}'`,
    bindings,
  );
  await on.raw(
    `UPDATE access.api_keys SET roles = ARRAY (
         SELECT name FROM unnest(roles) WITH ORDINALITY AS kept (name, position)
          WHERE name <> ALL (${names}) ORDER BY position)
      WHERE roles && ${names}`,
    bindings,
  );
}

/** What became of a request with an API key. */
export type ApiKeyOutcome = 'accepted' | 'malformed' | 'unknown' | 'expired' | 'network';

/** Counts requests with API keys by what became of them, so that guesses and expired keys are noticed. */
export function countApiKeys(metrics: Pick<Metrics, 'counter'>): (outcome: ApiKeyOutcome) => void {
  const requests = metrics.counter({
    name: 'waybill_api_key_requests_total',
    help: 'Requests with an API key, by outcome: accepted, malformed, unknown (or revoked), expired, network (another one)',
    labels: ['outcome'],
  });
  return (outcome) => requests.inc({ outcome });
}

function checksumOf(random: Buffer): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(random));
  return checksum;
}
