import fc from 'fast-check';

/** A model's expectation for one request: a status, or the result instead of it. */
export type Expected = number | string;

/** How a file is opened. */
export type OpenMode = 'r' | 'rc' | 'r+' | 'w' | 'a' | 'x';

/** One request of a sequence. Handles are numbered in the order of the OPENs of all sessions. */
export type Step = { readonly session: number } & (
  | { readonly kind: 'open'; readonly path: string; readonly mode: OpenMode }
  | { readonly kind: 'write'; readonly handle: number; readonly text: string; readonly offset: number }
  | { readonly kind: 'read' | 'fstat' | 'close'; readonly handle: number }
  | { readonly kind: 'remove' | 'mkdir' | 'rmdir' | 'stat'; readonly path: string }
  | { readonly kind: 'rename' | 'posix-rename'; readonly from: string; readonly to: string }
);

/** Names of folders and of files are different, so that neither is created in place of the other. */
export const fileNames = ['a', 'b', 'd/x', 'd/y', 'e/x'];
const folderNames = ['d', 'e'];

export function isFolderName(name: string): boolean {
  return folderNames.includes(name);
}

/** What the steps of a sequence are chosen from. */
interface Choice {
  readonly files: readonly string[];
  /** Numbers of handles from 0 on. */
  readonly handles: number;
  /** Weights: these of 18, and these of 10. */
  readonly opens: number;
  readonly closes: number;
}

const session = fc.nat(1);
const folder = fc.constantFrom(...folderNames);
const renames = fc.constantFrom('rename' as const, 'posix-rename' as const);

function stepsOf({ files, handles, opens, closes }: Choice): fc.Arbitrary<Step> {
  const file = fc.constantFrom(...files);
  const handle = fc.nat(handles - 1);
  return fc.oneof(
    {
      weight: opens,
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
        handle,
        text: fc.constantFrom('1', '22', '333'),
        offset: fc.nat(3),
      }),
    },
    { weight: closes, arbitrary: fc.record({ kind: fc.constant('close' as const), session, handle }) },
    { weight: 10 - closes, arbitrary: fc.record({ kind: fc.constant('read' as const), session, handle }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('fstat' as const), session, handle }) },
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
}

/** The folder `d` and the file `a` exist from the start, so that sequences have something to work on. */
export const firstSteps: readonly Step[] = [
  { session: 0, kind: 'mkdir', path: 'd' },
  { session: 0, kind: 'open', path: 'a', mode: 'rc' },
];

/** From here on, the number of a handle stands for one of the open ones. */
const aimedFrom = 6;
const anyStep = stepsOf({ files: fileNames, handles: aimedFrom, opens: 8, closes: 7 });
const nearStep = stepsOf({ files: ['a', 'b', 'd/x'], handles: 64, opens: 12, closes: 5 });

/**
 * The requests of two sessions, in their order: short sequences over all names, with handles that are open or not, and
 * longer ones over few names, with open handles.
 */
export const sequence = fc.oneof(
  fc.array(anyStep, { minLength: 4, maxLength: 14 }),
  fc.array(nearStep, { minLength: 16, maxLength: 48, size: 'max' }),
);

/** The step with an open handle, if its number stands for one. */
export function aimed(step: Step, open: readonly { readonly handle: number; readonly session: number }[]): Step {
  if (!('handle' in step) || step.handle < aimedFrom || open.length === 0) return step;
  return { ...step, ...open[step.handle % open.length] };
}
