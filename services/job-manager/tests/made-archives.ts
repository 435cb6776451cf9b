import { crc32, deflateRawSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** An entry of an archive that a hostile program has made. */
export interface MadeEntry {
  readonly name: string | Buffer;
  readonly data?: Buffer;
  /** What the archive says instead of the truth. */
  readonly lies?: { readonly crc?: number; readonly size?: number; readonly offset?: number };
  /** Of the file on Unix, with its type: 0o120777 is a link. */
  readonly mode?: number;
  /** Bit 0: encrypted; bit 11: the name is UTF-8. */
  readonly flags?: number;
  readonly method?: number;
}

/** A ZIP archive with these entries, right or wrong. */
export function makeZip(entries: readonly MadeEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data = Buffer.alloc(0), lies = {}, mode = 0o100644, flags = 0x0800, method = 8 } of entries) {
    const bytes = Buffer.from(name);
    const packed = method === 8 ? deflateRawSync(data) : data;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(lies.crc ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(lies.size ?? data.length, 18);
    common.writeUInt16LE(bytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, bytes, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(lies.offset ?? offset, 10);
    const madeBy = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, common, rest, bytes]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** A tar archive with these headers. */
export async function makeTar(
  entries: readonly {
    name: string;
    data?: string;
    type?: 'symlink' | 'link' | 'directory' | 'fifo' | 'character-device';
  }[],
): Promise<Buffer> {
  const tar = pack();
  for (const { name, data = '', type } of entries) {
    if (type === undefined) tar.entry({ name }, data);
    else tar.entry({ name, type, linkname: '/etc/passwd' });
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Names of entries that lead somewhere else, or are no names. */
export const hostileNames: readonly (readonly [string, string])[] = [
  ['a path out of the folder', '../evil'],
  ['a path out of the folder in its midst', 'a/../../evil'],
  ['an absolute path', '/etc/passwd'],
  ['a path with a drive', 'C:/evil'],
  ['backslashes', '..\\evil'],
  ['an empty name', 'a//b'],
  ['a dot', 'a/./b'],
  ['a control character', 'a\nb'],
  ['a long name', 'x'.repeat(256)],
  ['a deep path', `${'d/'.repeat(20)}f`],
];
