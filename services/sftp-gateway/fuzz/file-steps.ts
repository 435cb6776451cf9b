import fc from 'fast-check';

/** What a model of open files expects of one request: a status, or what is answered in its stead. */
export type Expected = number | string;

/** How a file is opened. */
export type OpenMode = 'r' | 'rc' | 'r+' | 'w' | 'a' | 'x';

/** One request of a sequence. Handles are numbered in the order of the OPENs of all sessions. */
export type Step = { readonly session: number } & (
  | { readonly kind: 'open'; readonly path: string; readonly mode: OpenMode }
  | { readonly kind: 'write'; readonly handle: number; readonly text: string; readonly offset: number }
  | { readonly kind: 'read' | 'close'; readonly handle: number }
  | { readonly kind: 'remove' | 'mkdir' | 'rmdir' | 'stat'; readonly path: string }
  | { readonly kind: 'rename' | 'posix-rename'; readonly from: string; readonly to: string }
);

/** Names of folders and of files are different ones, so that neither is made where the other stands. */
export const fileNames = ['a', 'b', 'd/x', 'd/y', 'e/x'];
const folderNames = ['d', 'e'];

export function isFolderName(name: string): boolean {
  return folderNames.includes(name);
}

const session = fc.nat(1);
const file = fc.constantFrom(...fileNames);
const folder = fc.constantFrom(...folderNames);
const renames = fc.constantFrom('rename' as const, 'posix-rename' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      session,
      path: file,
      mode: fc.constantFrom<OpenMode>('r', 'rc', 'r+', 'r+', 'w', 'w', 'a', 'x'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      session,
      handle: fc.nat(5),
      text: fc.constantFrom('1', '22', '333'),
      offset: fc.nat(3),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom('close' as const, 'close' as const, 'read' as const),
      session,
      handle: fc.nat(5),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'stat' as const), session, path: file }),
  },
  { weight: 6, arbitrary: fc.record({ kind: renames, session, from: file, to: file }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('mkdir' as const, 'rmdir' as const), session, path: folder }),
  },
  { weight: 1, arbitrary: fc.record({ kind: renames, session, from: folder, to: folder }) },
);
/** The folder `d` and the file `a` are there from the beginning, for sequences to reach something. */
export const firstSteps: readonly Step[] = [
  { session: 0, kind: 'mkdir', path: 'd' },
  { session: 0, kind: 'open', path: 'a', mode: 'rc' },
];
/** The requests of two sessions, in their order. */
export const sequence = fc.array(step, { minLength: 4, maxLength: 14 });
