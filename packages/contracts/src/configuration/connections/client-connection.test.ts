import { expect, it } from 'vitest';
import { z } from 'zod';
import { type ClientConnection, clientConnectionSchema, secretFieldsOf } from './client-connection.ts';

const host = { host: 'files.example.org' };
const login = { ...host, username: 'u' };
const hostKeys = [`SHA256:${'A'.repeat(43)}`];
const secret = (field: string): string => `secret://my.${field}-1_x`;

/** Every type, without its secrets, and the secrets that it can have; those of one row can stand together. */
const table: Readonly<Record<ClientConnection['type'], readonly [object, readonly string[]][]>> = {
  sftp: [[{ ...login, hostKeys }, ['password', 'privateKey', 'passphrase']]],
  ftps: [[login, ['password']]],
  s3: [[{ bucket: 'bucket' }, ['accessKeyId', 'secretAccessKey', 'sessionToken']]],
  http: [
    [{ url: 'https://api.example.org', username: 'u' }, ['password', 'signingKey']],
    [{ url: 'https://api.example.org' }, ['bearerToken', 'signingKey']],
  ],
  smtp: [[{ ...login, from: 'a@example.org' }, ['password']]],
  clamav: [[host, []]],
  icap: [[{ ...host, service: 'avscan' }, []]],
};
const rows = Object.entries(table).flatMap(([type, all]) =>
  all.map(([settings, secrets]) => ({ type, settings, secrets })),
);

const fill = (fields: readonly string[], value: (field: string) => string) =>
  Object.fromEntries(fields.map((field) => [field, value(field)]));

it.each(rows)('$type takes references for $secrets, and all of them are read', ({ type, settings, secrets }) => {
  const connection = clientConnectionSchema.parse({ name: 'c', type, ...settings, ...fill(secrets, secret) });
  const read = secretFieldsOf(connection);
  expect(Object.fromEntries(read.map(({ field, reference }) => [field, reference]))).toEqual(fill(secrets, secret));
});

it.each(rows.flatMap((row) => row.secrets.map((field) => ({ ...row, field }))))(
  '$type refuses a secret itself, or half a reference, as $field',
  ({ type, settings, secrets, field }) => {
    for (const wrong of [
      'hunter2',
      'secret://',
      'secret://a/b',
      'SECRET://a',
      'secret:// a',
      `secret://${'a'.repeat(129)}`,
    ]) {
      const given = { name: 'c', type, ...settings, ...fill(secrets, secret), [field]: wrong };
      const issues = clientConnectionSchema.safeParse(given).error?.issues ?? [];
      expect(issues.map(({ path }) => path.join('.'))).toEqual([field]);
    }
  },
);

it('no field of a connection that takes a reference is missing here', () => {
  const describes = z.array(
    z.object({ properties: z.record(z.string(), z.object({ description: z.string().optional() }).loose()) }),
  );
  const { oneOf } = z.toJSONSchema(clientConnectionSchema, { io: 'input', unrepresentable: 'any' });
  const shown = describes.parse(oneOf).map(({ properties }) => {
    const isSecret = (name: string): boolean => /password|key$|keyId|passphrase|token|secret/iu.test(name);
    return [String(properties['type']?.['const']), Object.keys(properties).filter(isSecret).toSorted()];
  });
  const listed = Object.entries(table).map(([type, all]) => [
    type,
    [...new Set(all.flatMap(([, secrets]) => secrets))].toSorted(),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(listed));
});
