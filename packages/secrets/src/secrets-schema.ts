import type { OwnedSchema } from '@waybill/postgres/migrate';
import { secrets } from './migrations/0001-secrets.ts';
import { publicKeys } from './migrations/0002-public-keys.ts';

/**
 * The schema of encrypted secrets. It is not part of `directory`, whose definitions plans and listings show: here only the
 * role of the workers can read a ciphertext, and no role of the doors can read anything.
 */
export const secretsSchema: OwnedSchema = { schema: 'secrets', migrations: [secrets, publicKeys] };
