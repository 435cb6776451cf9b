import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@waybill/signing-keys/key-file';
import type { Anchor } from '../../domain/anchors/anchor.ts';
import { writeDurably } from '../write-durably.ts';
import { anchoredBytesAtMost, anchoredState } from './anchored-text.ts';

/** A file, on another disk or on a mount of another machine. Its folder must exist: a missing mount is a failure. */
export function createFileAnchor({ name, file }: { readonly name: string; readonly file: string }): Anchor {
  return {
    name,
    read: async (_head, signal) => {
      await access(path.dirname(file));
      try {
        const { size } = await stat(file);
        return anchoredState(size > anchoredBytesAtMost ? '' : await readFile(file, { encoding: 'utf8', signal }));
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
    store: async ({ note }) => {
      await access(path.dirname(file));
      await writeDurably(file, note);
      return undefined;
    },
  };
}
