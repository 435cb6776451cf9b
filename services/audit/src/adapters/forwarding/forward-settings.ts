import { z } from 'zod';
import type { MessageFormat } from '../../domain/forwarding/message-text.ts';
import { faultOf, httpAddressOf, isConfidential, itemListSchema, type SettingItem } from '../setting-items.ts';

interface CommonSettings {
  /** Without secrets. */
  readonly name: string;
  readonly from: 'now' | 'start';
  readonly caFile: string | undefined;
}

/** A syslog receiver as `AUDIT_FORWARDING` describes it. */
export interface SyslogSettings extends CommonSettings {
  readonly kind: 'syslog';
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** A certificate of this side, with its key. */
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly format: MessageFormat;
  readonly facility: number;
  readonly bytesAtMost: number;
}

/** A webhook as `AUDIT_FORWARDING` describes it. */
export interface WebhookSettings extends CommonSettings {
  readonly kind: 'webhook';
  readonly url: string;
  readonly signingKeyFile: string;
  readonly tokenFile: string | undefined;
  readonly bytesAtMost: number;
}

/** A destination as `AUDIT_FORWARDING` describes it. */
export type ForwardSettings = SyslogSettings | WebhookSettings;

/** All destinations, separated by blanks, line ends or commas. */
export const forwardListSchema = itemListSchema(parseDestination);

const file = z.string().min(1).optional();
const commonOptions = {
  name: z
    .string()
    .regex(/^[\u0021-\u007e]{1,200}$/u, 'must be 1 to 200 printable characters')
    .optional(),
  from: z.enum(['now', 'start']).default('now'),
  'ca-file': file,
};
const syslogOptionsSchema = z.strictObject({
  ...commonOptions,
  format: z.enum(['json', 'cef']).default('json'),
  facility: z.coerce.number().int().min(0).max(23).default(13),
  // Receivers should accept 2048 (RFC 5424, section 6.1), over TLS 8192 (RFC 5425, section 4.3.1).
  'max-bytes': z.coerce.number().int().min(2_048).max(1_048_576).default(8_192),
  'cert-file': file,
  'key-file': file,
});
const webhookOptionsSchema = z.object({
  ...commonOptions,
  'signing-key-file': z.string('is missing').min(1),
  'token-file': file,
  'max-bytes': z.coerce.number().int().min(2_048).max(67_108_864).default(1_048_576),
});

/** IANA: syslog-conn and syslog-tls. */
const ports = { tcp: 601, tls: 6_514 } as const;

/** The destination, or what is wrong with it. */
function parseDestination(item: SettingItem): ForwardSettings | string {
  if (item.address.startsWith('syslog+')) return parseSyslog(item);
  if (!URL.canParse(item.address) || !/^https?:\/\//u.test(item.address))
    return 'which is not an address of the kinds in docs/audit.md';
  return parseWebhook(item);
}

function parseSyslog({ address, options }: SettingItem): SyslogSettings | string {
  const [, transport = '', host = '', port] =
    /^syslog\+(tcp|tls):\/\/(\[[\da-f:.]+\]|[^/:@[\]]+)(?::(\d{1,5}))?\/?$/iu.exec(address) ?? [];
  if (transport !== 'tcp' && transport !== 'tls') return 'which is not syslog+tcp://<host>:<port> or syslog+tls://...';
  const parsed = syslogOptionsSchema.safeParse(Object.fromEntries(options));
  if (!parsed.success) return faultOf(parsed.error);
  const { data } = parsed;
  const [caFile, certFile, keyFile] = [data['ca-file'], data['cert-file'], data['key-file']];
  if ((certFile === undefined) !== (keyFile === undefined)) return 'of which cert-file and key-file belong together';
  if (transport === 'tcp' && (caFile ?? certFile) !== undefined) return 'whose files are for syslog+tls:// only';
  if (Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return 'whose port is wrong';
  return {
    kind: 'syslog',
    name: data.name ?? address,
    from: data.from,
    host: host.replaceAll(/[[\]]/gu, ''),
    port: Number(port ?? ports[transport]),
    isTls: transport === 'tls',
    format: data.format,
    facility: data.facility,
    bytesAtMost: data['max-bytes'],
    caFile,
    certFile,
    keyFile,
  };
}

function parseWebhook(item: SettingItem): WebhookSettings | string {
  const { address, options } = item;
  if (new URL(address).username !== '') return 'which has a password in it: use token-file';
  const parsed = webhookOptionsSchema.safeParse(Object.fromEntries(options));
  if (!parsed.success) return faultOf(parsed.error);
  const { data } = parsed;
  if (data['token-file'] !== undefined && !isConfidential(address))
    return 'which would send its token unencrypted: use https';
  return {
    kind: 'webhook',
    name: data.name ?? address,
    from: data.from,
    url: httpAddressOf(item, webhookOptionsSchema.shape),
    signingKeyFile: data['signing-key-file'],
    tokenFile: data['token-file'],
    caFile: data['ca-file'],
    bytesAtMost: data['max-bytes'],
  };
}
