import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes a file of random bytes and resolves with its SHA-256. */
export async function writeRandomFile(path: string, size: number): Promise<string> {
  const bytes = randomBytes(size);
  await writeFile(path, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes folders with small files of random bytes and sizes, and resolves with what `hashTree` will say of them. */
export async function writeTree(folder: string, shape: { folders: number; filesEach: number }): Promise<TreeHashes> {
  const hashes: Record<string, string> = {};
  for (let i = 0; i < shape.folders; i += 1) {
    const name = `folder ${i}`;
    await mkdir(join(folder, name), { recursive: true });
    for (let j = 0; j < shape.filesEach; j += 1) {
      const path = `${name}/file-${j}.txt`;
      hashes[path] = await writeRandomFile(join(folder, path), 1 + ((i * 37 + j * 101) % 4_000));
    }
  }
  return hashes;
}

/** SHA-256 of every file below a folder, by its path there. */
export type TreeHashes = Readonly<Record<string, string>>;

/** Reads every file below a folder. */
export async function hashTree(folder: string): Promise<TreeHashes> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    hashes[relative(folder, path)] = await hashFile(path);
  }
  return hashes;
}

/** SHA-256 of a file's bytes. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
