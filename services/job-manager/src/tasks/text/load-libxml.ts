import { setFlagsFromString } from 'node:v8';
import type * as libxml from 'libxml2-wasm';
import { z } from 'zod';

/**
 * Pages of 64 KiB: 256 MiB. Beyond them libxml2 is out of memory, which it reports as an error of the document. V8 reads the
 * limit when the library is loaded. It holds for the WebAssembly of the whole process, where no other needs a hundredth of it.
 */
const pagesAtMost = 4_096;

/** The functions of libxml2, in the memory of this thread. It has no files and no network: see `schemaFrom`. */
export type Libxml = typeof libxml;

/** Loads libxml2 with a limit of its memory. */
export async function loadLibxml(): Promise<Libxml> {
  setFlagsFromString(`--wasm-max-mem-pages=${pagesAtMost}`);
  return await import('libxml2-wasm');
}

/** How documents are read: without anything that is outside of them, and with numbers of lines beyond 65 535. */
export function optionsOf({ ParseOption }: Libxml): libxml.ParseOption {
  const flags = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_BIG_LINES;
  return z.custom<libxml.ParseOption>(Number.isInteger).parse(flags);
}
