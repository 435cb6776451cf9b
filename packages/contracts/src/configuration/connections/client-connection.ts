import { z } from 'zod';
import { expirySchema } from '../expiry.ts';
import { secretReferenceSchema } from '../secret-reference.ts';
import {
  certificateSchema,
  commonFields,
  hostSchema,
  loginNameSchema,
  portSchema,
  seconds,
} from './connection-fields.ts';
import { ftpsConnectionSchema } from './ftps-connection.ts';
import { s3ConnectionSchema } from './s3-connection.ts';

const hostKeySchema = z
  .string()
  .trim()
  .regex(
    /^(?:SHA256:[A-Za-z0-9+/]{43}|(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) [A-Za-z0-9+/]+={0,2}(?: .*)?)$/u,
    'must be a fingerprint such as SHA256:..., or a line such as `ssh-ed25519 AAAA...`, as ssh-keyscan prints after the host',
  );

/** An SFTP server of a partner. Its host keys are pinned: any other key is refused. */
const sftpConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('sftp'),
  host: hostSchema,
  port: portSchema(22),
  username: loginNameSchema,
  password: secretReferenceSchema.optional(),
  privateKey: secretReferenceSchema.optional().describe('An unencrypted private key, or one with `passphrase`'),
  passphrase: secretReferenceSchema.optional().describe('Of the private key'),
  keyExpires: expirySchema
    .optional()
    .describe('Until when the server accepts the private key: warnings and a metric tell before. A day or an instant'),
  hostKeys: z.array(hostKeySchema).min(1).max(20).describe('The keys that the server may have'),
});

/** An HTTP service of a partner. Requests cannot leave the address, apart from allowed redirects. */
const httpConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('http'),
  url: z
    .url({ protocol: /^https?$/u, error: 'must be an address such as https://api.example.org/files' })
    .refine((text) => !/[?#]/u.test(text), 'must not have a query or a fragment')
    .refine((text) => {
      const parsed = URL.parse(text);
      return parsed === null || (parsed.username === '' && parsed.password === '');
    }, 'must not contain a user or a password: use username and password'),
  username: loginNameSchema.optional().describe('For HTTP Basic'),
  password: secretReferenceSchema.optional(),
  bearerToken: secretReferenceSchema.optional().describe('Sent as `Authorization: Bearer`'),
  signingKey: secretReferenceSchema.optional().describe('Key of the HMAC-SHA-256 signature of requests'),
  maxRedirects: z.int().min(0).max(10).default(0).describe('Each target is checked like the address itself'),
  totalTimeoutSeconds: seconds(0.1, 86_400, 300).describe('For a request with its response'),
  certificateAuthorities: certificateSchema.optional(),
});

/** A mail server that accepts mails for delivery. */
const smtpConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('smtp'),
  host: hostSchema,
  port: portSchema(587),
  security: z
    .enum(['starttls', 'tls', 'none'])
    .default('starttls')
    .describe('`starttls` is required, not only tried; `tls` from the first byte; `none` allows no password'),
  username: loginNameSchema.optional(),
  password: secretReferenceSchema.optional(),
  from: z.email().max(320).describe('Sender of the mails'),
  certificateAuthorities: certificateSchema.optional(),
});

/** A virus scanner: the daemon of ClamAV, which speaks without encryption and without a login. */
const clamavConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('clamav'),
  host: hostSchema,
  port: portSchema(3310),
});

/** A virus scanner that speaks ICAP (RFC 3507), without encryption and without a login. */
const icapConnectionSchema = z.strictObject({
  ...commonFields,
  type: z.literal('icap'),
  host: hostSchema,
  port: portSchema(1344),
  service: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\w.~/-]+(?:\?[\w.~/=&-]*)?$/u, 'must be the path of a service, such as avscan, without a slash before it')
    .describe('Path of the service, such as `avscan` or `srv_clamav`'),
  method: z.enum(['RESPMOD', 'REQMOD']).default('RESPMOD').describe('What the service expects'),
  bytesAtMost: z
    .int()
    .min(1)
    .max(1_099_511_627_776)
    .default(5_242_880)
    .describe(
      'Larger files are refused. Not more than the scanner scans: most let pass what is larger, as if it were clean',
    ),
});

/** A connection that the platform opens as a client, for the steps of jobs. Its secrets are references. */
export const clientConnectionSchema = z
  .discriminatedUnion('type', [
    sftpConnectionSchema,
    httpConnectionSchema,
    smtpConnectionSchema,
    clamavConnectionSchema,
    s3ConnectionSchema,
    ftpsConnectionSchema,
    icapConnectionSchema,
  ])
  .superRefine((connection, context) => {
    for (const [field, message] of objectionsTo(connection)) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  });

/** A connection that the platform opens as a client. */
export type ClientConnection = z.infer<typeof clientConnectionSchema>;

/** The connection of one type. */
export type ConnectionOf<T extends ClientConnection['type']> = Extract<ClientConnection, { type: T }>;

type Candidate =
  | z.infer<typeof sftpConnectionSchema>
  | z.infer<typeof httpConnectionSchema>
  | z.infer<typeof smtpConnectionSchema>
  | z.infer<typeof clamavConnectionSchema>
  | z.infer<typeof s3ConnectionSchema>
  | z.infer<typeof ftpsConnectionSchema>
  | z.infer<typeof icapConnectionSchema>;

function objectionsTo(connection: Candidate): [field: string, message: string][] {
  if (connection.type === 'sftp') return objectionsToSftp(connection);
  if (connection.type === 'clamav' || connection.type === 'icap') return [];
  if (connection.type === 's3' || connection.type === 'ftps') return [];
  const { type, username, password } = connection;
  const half: [string, string][] =
    (username === undefined) === (password === undefined) ? [] : [['username', 'and password belong together']];
  if (type === 'smtp') {
    if (connection.security !== 'none' || password === undefined) return half;
    return [...half, ['password', 'would be sent unencrypted: use the security starttls or tls']];
  }
  const sent = password ?? connection.bearerToken;
  const both = password !== undefined && connection.bearerToken !== undefined;
  return [
    ...half,
    ...(both ? [['bearerToken', 'and password exclude each other'] as [string, string]] : []),
    ...(sent !== undefined && connection.url.startsWith('http:')
      ? [['url', 'is not https: the password or token would be sent unencrypted'] as [string, string]]
      : []),
  ];
}

function objectionsToSftp({
  password,
  privateKey,
  passphrase,
  keyExpires,
}: z.infer<typeof sftpConnectionSchema>): [string, string][] {
  if (password === undefined && privateKey === undefined) return [['password', 'or privateKey is missing']];
  if (passphrase !== undefined && privateKey === undefined) return [['passphrase', 'belongs to a privateKey']];
  if (keyExpires !== undefined && privateKey === undefined) return [['keyExpires', 'belongs to a privateKey']];
  return [];
}

/** The names of the secrets that a connection refers to, with the fields that do. */
export function secretFieldsOf(connection: ClientConnection): { field: string; reference: string }[] {
  const fields = [
    ...(['password', 'privateKey', 'passphrase', 'bearerToken', 'signingKey'] as const),
    ...(['accessKeyId', 'secretAccessKey', 'sessionToken'] as const),
  ] as const;
  const values: Partial<Record<(typeof fields)[number], string | undefined>> =
    connection.type === 'clamav' || connection.type === 'icap' ? {} : connection;
  return fields.flatMap((field) => {
    const reference = values[field];
    return reference === undefined ? [] : [{ field, reference }];
  });
}

/** The authorities that a connection trusts, in PEM format; empty if it names none. */
export function authoritiesOf(connection: ClientConnection): string {
  return ('certificateAuthorities' in connection ? connection.certificateAuthorities : undefined) ?? '';
}
