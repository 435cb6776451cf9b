import { createBrowserDatabase } from './browser-database.ts';

const database = createBrowserDatabase('waybill-queue', 'parts');

/** Changes within this time are written together. */
const gatherMs = 200;

/** So many records are one value: a browser takes minutes to write a hundred thousand values. */
const recordsInPart = 500;

interface Part {
  readonly key: string;
  /** What makes the records, by their ids. */
  readonly records: Map<string, () => unknown>;
}

/** What an earlier page has put aside together. */
export interface StoredPart {
  readonly key: string;
  readonly records: readonly unknown[];
}

const partOf = new Map<string, Part>();
const changed = new Set<Part>();
let filling: Part | undefined;
let writing: Promise<void> | undefined;

/** Keeps a record in the database of the browser, soon. `record` is called then. Without a database, nothing is kept. */
export function putAside(id: string, page: string, record: () => unknown): void {
  let part = partOf.get(id) ?? filling;
  if (part === undefined || (part === filling && part.records.size >= recordsInPart))
    part = filling = { key: `${page}/${id}`, records: new Map() };
  partOf.set(id, part);
  part.records.set(id, record);
  write(part);
}

/** Removes a record that was put aside. */
export function takeBack(id: string): void {
  const part = partOf.get(id);
  if (part === undefined) return;
  partOf.delete(id);
  part.records.delete(id);
  write(part);
}

/** Waits until everything is written. */
export async function untilAside(): Promise<void> {
  await writing;
}

/** What this page and others have put aside. */
export async function partsAside(): Promise<StoredPart[]> {
  const parts = await database.run('readonly', (store) => store.getAll()).catch(() => []);
  return Array.isArray(parts) ? parts.filter(isPart) : [];
}

/** Removes what earlier pages have put aside. */
export async function forgetParts(keys: readonly string[]): Promise<void> {
  await database.run('readwrite', (store) => keys.map((key) => store.delete(key)).at(-1)).catch(() => undefined);
}

function write(part: Part): void {
  changed.add(part);
  writing ??= new Promise((resolve) => setTimeout(resolve, gatherMs)).then(writeAll);
}

/** One after the other, so that the page can do other things in between. */
async function writeAll(): Promise<void> {
  for (const part of changed) {
    changed.delete(part);
    const { key, records } = part;
    await database
      .run('readwrite', (store) => {
        if (records.size === 0) return store.delete(key);
        return store.put({ key, records: Array.from(records.values(), (record) => record()) }, key);
      })
      .catch(() => undefined);
  }
  writing = undefined;
}

function isPart(value: unknown): value is StoredPart {
  if (typeof value !== 'object' || value === null) return false;
  const { key, records }: Partial<Record<keyof StoredPart, unknown>> = value;
  return typeof key === 'string' && Array.isArray(records);
}
