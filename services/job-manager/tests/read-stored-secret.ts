import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import { urlAs } from '@waybill/test-kit/test-roles';

/** Reads a secret as a worker does. An empty owner: the platform. */
export async function readStoredSecret(
  { databaseUrl, secretKeys }: { readonly databaseUrl: string; readonly secretKeys: string },
  name: string,
  owner = '',
): Promise<string> {
  const db = connectPostgres({ url: urlAs('job_manager', databaseUrl), applicationName: 'test', poolSize: 1 });
  try {
    const source = openKeyRingSource({ SECRET_KEYS: secretKeys }, { maxAgeMs: 0 });
    return (await createSecretReader(db, source).read({ owner, name })).reveal();
  } finally {
    await db.destroy();
  }
}
