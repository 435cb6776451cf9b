import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** A tile of 256 hashes or records, or the first `width` of them. */
export interface AuditTile {
  readonly level: number | 'entries';
  readonly number: number;
  readonly width: number;
}

const pattern = /^(entries|0|[1-7])\/((?:x\d{3}\/){0,3}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/u;

const pathSchema = z.string().transform((path, context): AuditTile => {
  const [, level = '', groups = '', width = '256'] = pattern.exec(path) ?? [];
  if (level === '' || groups.startsWith('x000') || Number(width) > 256 || path.endsWith('.p/256')) {
    context.addIssue('must be <level>/<tile> or entries/<tile>, with .p/<width> for a partial one: 0/x001/067.p/9');
    return z.NEVER;
  }
  return {
    level: level === 'entries' ? level : Number(level),
    number: Number(groups.replaceAll(/[/x]/gu, '')),
    width: Number(width),
  };
});

/** Extension of the interface: a tile of the tree, or a bundle of its leaves. */
export const readAuditTileEndpoint = defineEndpoint({
  id: 'readAuditTile',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/tile/*path',
  summary: 'Read a tile of the audit log',
  description:
    'C2SP tlog-tiles: `tile/<L>/<N>` has 256 hashes of the level 8 × L, and `tile/entries/<N>` 256 leaves, each after its length in two ' +
    'bytes. `.p/<W>` has the first W of them.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  params: z.object({
    path: pathSchema.describe('Level and number of the tile, and the width of a partial one').meta({
      example: '0/x001/x234/067.p/9',
    }),
  }),
  responses: { 200: { description: 'The tile', body: { kind: 'stream', mediaType: 'application/octet-stream' } } },
  errors: ['audit_tile_unknown'],
});
