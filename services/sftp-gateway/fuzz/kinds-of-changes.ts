import type { FileModel } from './file-model.ts';
import type { Step } from './file-steps.ts';
import type { Written } from './model-version.ts';

/**
 * What a session does to a file that it has open, counted to show that the sequences include it. Evaluated before the
 * step.
 */
export const kindsOfChanges: Readonly<Record<string, (step: Step, model: FileModel) => boolean>> = {
  'a file that is open is removed': (step, model) => step.kind === 'remove' && isOpen(step.path, step, model),
  'a file that is open is renamed': (step, model) => isRename(step) && isOpen(step.from, step, model),
  'a file that is open is replaced by a rename': (step, model) =>
    step.kind === 'posix-rename' && step.from !== step.to && isOpen(step.to, step, model),
  'a file opened with O_EXCL is removed or renamed while it is open': (step, model) => {
    if (step.kind === 'remove') return isOpen(step.path, step, model, isLock);
    return isRename(step) && isOpen(step.from, step, model, isLock);
  },
};

const isLock = ({ overwrite }: Written): boolean => !overwrite;

function isRename(step: Step): step is Step & { kind: 'rename' | 'posix-rename' } {
  return (step.kind === 'rename' || step.kind === 'posix-rename') && step.from !== step.to;
}

function isOpen(path: string, { session }: Step, model: FileModel, matches = (_file: Written) => true): boolean {
  const file = model.openHere(session, path);
  return file !== undefined && matches(file);
}
