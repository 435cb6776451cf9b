import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '@waybill/private-datastores/refusal';
import { z } from 'zod';

const rememberedSchema = z.object({
  /** Absolute path of the configuration file that was applied last. */
  file: z.string().min(1),
  /** For each variable: the file with its value. */
  variables: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u), z.string().min(1)),
});

/**
 * The state that `npm start` keeps from one start to the next: the applied configuration, and the files of its values.
 */
export type RememberedConfiguration = z.infer<typeof rememberedSchema>;

/**
 * Reads the stored state; `undefined` if there is none.
 * @throws Refusal if the file is invalid
 */
export function readRemembered(file: string): RememberedConfiguration | undefined {
  try {
    return withPaths(rememberedSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), (name) =>
      path.resolve(path.dirname(file), name),
    );
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined;
    const advice = 'delete it, and name the configuration with WAYBILL_CONFIGURATION=<file>';
    throw new Refusal(`${file} is damaged: ${advice}, its variables with it.`, { cause: err });
  }
}

/** Writes it so that a crash leaves the previous state, and so that the clone can be moved. */
export function writeRemembered(file: string, remembered: RememberedConfiguration): void {
  const next = `${file}.next`;
  const stored = withPaths(remembered, (name) => movable(path.dirname(file), name));
  writeFileSync(next, `${JSON.stringify(stored, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}

/** A path below the parent of `folder` (the repository) relative to `folder`; any other path unchanged. */
function movable(folder: string, name: string): string {
  const relative = path.relative(folder, name);
  return relative.startsWith(path.join('..', '..')) ? name : relative;
}

function withPaths(
  { file, variables }: RememberedConfiguration,
  change: (name: string) => string,
): RememberedConfiguration {
  const changed = Object.entries(variables).map(([variable, name]): [string, string] => [variable, change(name)]);
  return { file: change(file), variables: Object.fromEntries(changed) };
}
