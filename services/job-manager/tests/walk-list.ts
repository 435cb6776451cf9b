import { problemSchema } from '@waybill/contracts/errors/problem';
import { expect } from 'vitest';
import type { TestJobManager } from './start-test-job-manager.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

/** A list of the API, and who asks for it. */
interface List {
  readonly path: string;
  readonly bearer: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** The pages of a list, each by the link of the one before. `between` is called before each link is followed. */
export async function walkList<T>(
  { client }: Pick<TestJobManager, 'client'>,
  { path, bearer, query = {} }: List,
  between?: (page: number) => Promise<void>,
): Promise<(readonly T[])[]> {
  const pages: (readonly T[])[] = [];
  let address: string | undefined = `${path}?${new URLSearchParams(query).toString()}`;
  while (address !== undefined) {
    const response = await client.get(address, { bearer });
    expect([address, response.status, response.text]).toEqual([address, 200, expect.any(String)]);
    const { items, next } = response.json() as Page<T>;
    pages.push(items);
    if (next !== undefined) await between?.(pages.length);
    address = next;
  }
  return pages;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** Cursors that no list has made. */
const foreignCursors = [
  'x',
  '',
  '%',
  encoded('{}'),
  encoded('[]'),
  encoded('null'),
  encoded('["1","2","3","4"]'),
  encoded('["1 OR true"]'),
  encoded('["\\u0000","a"]'),
  encoded('["\\ud800","a"]'),
  encoded('["99999999999999999999"]'),
  encoded('[-1]'),
];

const sizes = [
  ['0', 'must be at least 1'],
  ['1001', 'must be at most 1000'],
  ['ten', 'is not a whole number'],
  ['1.5', 'is not a whole number'],
] as const;

/** Expects that a list refuses wrong cursors and sizes of pages, with the messages of all lists. */
export async function expectRefusedPages({ client }: Pick<TestJobManager, 'client'>, { path, bearer }: List) {
  const refusalOf = async (query: Readonly<Record<string, string>>): Promise<unknown> => {
    const response = await client.get(path, { bearer, query });
    const { code, detail } = problemSchema.parse(response.json());
    return { ...query, status: response.status, code, detail };
  };
  const refused = { status: 400, code: 'validation_failed' };
  for (const cursor of foreignCursors) {
    const detail = 'cursor: is not one of this listing: follow `next` links as they are';
    expect(await refusalOf({ cursor })).toEqual({ cursor, ...refused, detail });
  }
  for (const [maxItems, message] of sizes) {
    expect(await refusalOf({ maxItems })).toEqual({ maxItems, ...refused, detail: `maxItems: ${message}` });
  }
  expect(await refusalOf({ cursor: 'x'.repeat(2_049) })).toMatchObject(refused);
  expect(await refusalOf({ offset: '1' })).toMatchObject(refused);
}
