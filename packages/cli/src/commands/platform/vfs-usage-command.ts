import { readVfsUsageEndpoint } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { renderTable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

const kinds = ['bytes', 'files', 'folders'] as const;

/** Shows what a virtual file system holds. */
export const vfsUsageCommand: Command = {
  summary:
    'Shows how many bytes, files and folders a virtual file system holds, and how many it may hold. Where there are limits, running uploads are included.',
  examples: ['waybill vfs usage acme-files'],
  arguments: { 'virtual file system': 'The name of the virtual file system.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    const usage = await requestPlatform(invocation, readVfsUsageEndpoint, { params: { name } });
    const rows = kinds.map((kind) => {
      const { used, limit } = usage[kind];
      return [kind, used === null ? 'too many to count' : String(used), limit === null ? 'unlimited' : String(limit)];
    });
    printOne(invocation, usage, renderTable(['KIND', 'USED', 'LIMIT'], rows));
  },
};
