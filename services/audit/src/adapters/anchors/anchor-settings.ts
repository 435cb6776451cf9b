import { z } from 'zod';
import { parseWitnessKey, type WitnessKey } from '../../domain/checkpoints/cosignature.ts';
import { faultOf, httpAddressOf, isConfidential, itemListSchema, type SettingItem } from '../setting-items.ts';

/** An anchor as `AUDIT_ANCHORS` describes it. `name` has no secrets. */
export type AnchorSettings =
  | { readonly kind: 'file'; readonly name: string; readonly file: string }
  | ({ readonly kind: 's3'; readonly name: string; readonly bucket: string; readonly key: string } & S3Options)
  | ({ readonly kind: 'http'; readonly name: string; readonly url: string } & HttpOptions)
  | { readonly kind: 'witness'; readonly name: string; readonly url: string; readonly key: WitnessKey };

const s3OptionsSchema = z.strictObject({
  region: z.string().min(1).default('us-east-1'),
  endpoint: z.url({ protocol: /^https?$/u }).optional(),
  'path-style': z.enum(['true', 'false']).default('false'),
  'lock-days': z.coerce.number().int().min(1).max(36_500).optional(),
});
type S3Options = z.infer<typeof s3OptionsSchema>;

const httpOptionsSchema = z.object({
  'token-file': z.string().min(1).optional(),
  method: z.enum(['PUT', 'POST']).default('PUT'),
});
type HttpOptions = z.infer<typeof httpOptionsSchema>;

/** A list of anchors, separated by blanks, line ends or commas. */
export const anchorListSchema = itemListSchema(parseAnchor);

/** The anchor, or what is wrong with it. */
function parseAnchor(item: SettingItem): AnchorSettings | string {
  const { address, options } = item;
  if (address.startsWith('file:')) return parseFile(address, options);
  if (address.startsWith('s3://')) return parseS3(address, options);
  const isWitness = address.startsWith('witness+');
  const url = isWitness ? address.slice('witness+'.length) : address;
  if (!URL.canParse(url) || !/^https?:\/\//u.test(url)) return 'which is not an address of the kinds in docs/audit.md';
  if (new URL(url).username !== '') return 'which has a password in it: use token-file';
  return isWitness ? parseWitness(url, options) : parseHttp(item);
}

type Options = SettingItem['options'];

function parseFile(address: string, options: Options): AnchorSettings | string {
  const file = address.slice('file:'.length).replace(/^\/\/(?=\/)/u, '');
  if (!file.startsWith('/') || options.size > 0) return 'which is not file:/<absolute path>';
  return { kind: 'file', name: `file:${file}`, file };
}

function parseS3(address: string, options: Options): AnchorSettings | string {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.*[^/])$/u.exec(address) ?? [];
  if (bucket === undefined || key === undefined) return 'which is not s3://<bucket>/<key>';
  const parsed = s3OptionsSchema.safeParse(Object.fromEntries(options));
  return parsed.success ? { kind: 's3', name: address, bucket, key, ...parsed.data } : faultOf(parsed.error);
}

function parseHttp(item: SettingItem): AnchorSettings | string {
  const { address, options } = item;
  const parsed = httpOptionsSchema.safeParse(Object.fromEntries(options));
  if (!parsed.success) return faultOf(parsed.error);
  if (parsed.data['token-file'] !== undefined && !isConfidential(address))
    return 'which would send its token unencrypted: use https';
  return { kind: 'http', name: address, url: httpAddressOf(item, httpOptionsSchema.shape), ...parsed.data };
}

function parseWitness(url: string, options: Options): AnchorSettings | string {
  const key = parseWitnessKey(options.get('key') ?? '');
  if (!key || options.size > 1) return 'which lacks `key=` with the Ed25519 verifier key of the witness';
  return { kind: 'witness', name: key.name, url: url.replace(/\/$/u, ''), key };
}
