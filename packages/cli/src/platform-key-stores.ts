import { tokenKeyStore } from '@waybill/access/signing-key';
import { auditKeyStore } from '@waybill/audit/audit-key-store';
import { configSchema as httpFilesSchema } from '@waybill/http-files/config';
import { receiptKeyStore } from '@waybill/http-files/es256-receipt-signer';
import { configSchema as jobManagerSchema } from '@waybill/job-manager/config';
import { keyConfigShape } from '@waybill/service-kit/config/key-config';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { listSchema } from '@waybill/service-kit/config/value-schemas';
import { hostKeyKinds } from '@waybill/sftp-gateway/config';
import { hostKeyStore } from '@waybill/sftp-gateway/host-key-store';
import type { NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import { z } from 'zod';
import { UsageError } from './command.ts';

const file = z.string().optional();
const settingsSchema = z.object({
  ACCESS_SIGNING_KEY_FILE: file,
  RECEIPT_SIGNING_KEY_FILE: file,
  AUDIT_SIGNING_KEY_FILE: file,
  SFTP_HOST_KEY_DIR: file,
  SFTP_HOST_KEY_TYPES: listSchema.pipe(z.array(z.enum(hostKeyKinds)).min(1)).default([...hostKeyKinds]),
});

const lifetimesSchema = z.object({
  ...keyConfigShape,
  ACCESS_TOKEN_SECONDS: jobManagerSchema.shape.ACCESS_TOKEN_SECONDS,
  RECEIPT_DAYS: httpFilesSchema.shape.RECEIPT_DAYS,
});

/**
 * The key stores that the environment names: in a container those of its service, on a single-machine platform those of
 * all services.
 */
export function platformKeyStores(env: Readonly<Record<string, string | undefined>>): readonly KeyStore<NamedKey>[] {
  const settings = loadConfig(settingsSchema, env);
  const folder = settings.SFTP_HOST_KEY_DIR;
  const stores = [
    ...storeAt(settings.ACCESS_SIGNING_KEY_FILE, tokenKeyStore),
    ...storeAt(settings.RECEIPT_SIGNING_KEY_FILE, receiptKeyStore),
    ...storeAt(settings.AUDIT_SIGNING_KEY_FILE, auditKeyStore),
    ...(folder === undefined ? [] : settings.SFTP_HOST_KEY_TYPES.map((kind) => hostKeyStore(folder, kind))),
  ];
  if (stores.length > 0) return stores;
  const names = Object.keys(settingsSchema.shape).slice(0, 4).join(', ');
  throw new UsageError(`none of ${names} is set: use the environment of the service that owns the keys`);
}

/**
 * How long the old key is needed after a rotation: until all replicas have switched and, for tokens and receipts, until
 * the last one that it signed has expired.
 */
export function useAfterRotationMs(env: Readonly<Record<string, string | undefined>>, purpose: string): number {
  const settings = loadConfig(lifetimesSchema, env);
  // A minute for differing clocks, and for a service that reads the files late.
  const switchSeconds = settings.KEY_RELOAD_SECONDS + 60;
  if (purpose === 'tokens') return (switchSeconds + settings.ACCESS_TOKEN_SECONDS) * 1_000;
  if (purpose === 'receipts') return (switchSeconds + settings.RECEIPT_DAYS * 86_400) * 1_000;
  return switchSeconds * 1_000;
}

/** The store for this purpose. @throws UsageError that lists the existing ones */
export function platformKeyStore(
  env: Readonly<Record<string, string | undefined>>,
  purpose: string,
): KeyStore<NamedKey> {
  const stores = platformKeyStores(env);
  const store = stores.find((candidate) => candidate.purpose === purpose);
  if (store) return store;
  throw new UsageError(`unknown purpose ${purpose}; use ${stores.map((each) => each.purpose).join(', ')}`);
}

function storeAt(path: string | undefined, storeOf: (path: string) => KeyStore<NamedKey>): KeyStore<NamedKey>[] {
  return path === undefined ? [] : [storeOf(path)];
}
