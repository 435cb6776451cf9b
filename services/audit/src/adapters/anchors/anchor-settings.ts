import { z } from 'zod';
import { parseWitnessKey, type WitnessKey } from '../../domain/checkpoints/cosignature.ts';

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
export const anchorListSchema = z.string().transform((text, context): AnchorSettings[] => {
  const anchors: AnchorSettings[] = [];
  for (const item of text.split(/[\s,]+/u)) {
    if (item === '') continue;
    const parsed = parseAnchor(item);
    if (typeof parsed === 'string')
      context.addIssue({ code: 'custom', message: `names ${addressOf(item)}, ${parsed}` });
    else if (anchors.some(({ name }) => name === parsed.name))
      context.addIssue({ code: 'custom', message: `names ${parsed.name} twice` });
    else anchors.push(parsed);
  }
  return anchors;
});

/** The anchor, or what is wrong with it. */
function parseAnchor(item: string): AnchorSettings | string {
  const address = addressOf(item);
  // Not decoded: the key of a witness contains plus signs.
  const options = new Map(
    item
      .slice(address.length + 1)
      .split('&')
      .flatMap((part) => (part === '' ? [] : [[part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)]])),
  );
  if (address.startsWith('file:')) return parseFile(address, options);
  if (address.startsWith('s3://')) return parseS3(address, options);
  const isWitness = address.startsWith('witness+');
  const url = isWitness ? address.slice('witness+'.length) : address;
  if (!URL.canParse(url) || !/^https?:\/\//u.test(url)) return 'which is not an address of the kinds in docs/audit.md';
  if (new URL(url).username !== '') return 'which has a password in it: use token-file';
  return isWitness ? parseWitness(url, options) : parseHttp(url, options);
}

type Options = ReadonlyMap<string, string>;

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

function parseHttp(url: string, options: Options): AnchorSettings | string {
  const parsed = httpOptionsSchema.safeParse(Object.fromEntries(options));
  if (!parsed.success) return faultOf(parsed.error);
  if (parsed.data['token-file'] !== undefined && !isConfidential(url))
    return 'which would send its token unencrypted: use https';
  const others = [...options].filter(([name]) => !Object.hasOwn(httpOptionsSchema.shape, name));
  const query = others.map(([name, value]) => `${name}=${value}`).join('&');
  return { kind: 'http', name: url, url: query === '' ? url : `${url}?${query}`, ...parsed.data };
}

function parseWitness(url: string, options: Options): AnchorSettings | string {
  const key = parseWitnessKey(options.get('key') ?? '');
  if (!key || options.size > 1) return 'which lacks `key=` with the Ed25519 verifier key of the witness';
  return { kind: 'witness', name: key.name, url: url.replace(/\/$/u, ''), key };
}

function addressOf(item: string): string {
  return item.split('?', 1)[0] ?? '';
}

function isConfidential(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function faultOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `whose option ${path.join('.')} is wrong: ${message}`).join('; ');
}
