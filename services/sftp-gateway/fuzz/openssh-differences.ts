import type { FileModel } from './file-model.ts';
import { isFolderName, type Expected, type Step } from './file-steps.ts';
import { status } from './model-tree.ts';
import { isReading } from './model-version.ts';

/** A step that is not compared: its effect differs by design, so that the files would differ from then on. */
export interface LeftOut {
  readonly reason: string;
  applies(step: Step, model: FileModel): boolean;
}

/** A step whose response differs by design, with the same effect on the files. */
export interface OtherAnswer {
  readonly reason: string;
  /** Evaluated before the step. */
  applies(step: Step, model: FileModel): boolean;
  /** The platform's response, and that of OpenSSH's server. */
  isDifference(platform: Expected, openssh: Expected): boolean;
}

const { ok, eof, noSuchFile, failure } = status;

export const leftOut: Readonly<Record<string, LeftOut>> = {
  'two sessions write one file': {
    reason: 'each has a separate version, and the last CLOSE wins as a whole; POSIX mixes the writes',
    applies: (step, model) =>
      step.kind === 'open' &&
      step.mode !== 'r' &&
      (step.mode !== 'rc' || model.delivered[step.path] === undefined) &&
      model.versions.openElsewhere(step.session, step.path).length > 0,
  },
  'another session has a new version open at a name that is removed, renamed or replaced': {
    reason: 'a version that began empty is not affected by what others do at its name',
    applies: (step, model) =>
      pathsChangedBy(step).some((path) =>
        model.versions
          .openElsewhere(step.session, path)
          .some(({ followsFile, content }) => !followsFile && content !== undefined),
      ),
  },
  'an uncommitted file is renamed to one that another session has open': {
    reason: 'others see the old file until CLOSE, which replaces it',
    applies: (step, model) =>
      (step.kind === 'rename' || step.kind === 'posix-rename') &&
      model.openHere(step.session, step.from) !== undefined &&
      model.versions.openElsewhere(step.session, step.to).length > 0,
  },
  'another session has an upload in a folder that is removed': {
    reason: 'others do not see uncommitted files, so the folder is empty for them',
    applies: (step, model) => step.kind === 'rmdir' && model.versions.hasUploadsElsewhere(step.session, step.path),
  },
  'a folder that replaces an empty one': {
    reason: 'posix-rename replaces files only',
    applies: (step, model) =>
      step.kind === 'posix-rename' && isFolderName(step.to) && step.from !== step.to && step.to in model.delivered,
  },
  'a write to a version that a later OPEN with TRUNCATE replaces': {
    reason: 'that OPEN begins a new version; POSIX truncates the existing one',
    applies: (step, model) => step.kind === 'write' && model.handle(step)?.written?.isOutdated === true,
  },
};

export const otherAnswers: Readonly<Record<string, OtherAnswer>> = {
  'CLOSE of an invalid handle': {
    reason: 'FAILURE; OpenSSH returns what it has for ENOENT',
    applies: (step, model) => step.kind === 'close' && !model.handle(step),
    isDifference: (platform, openssh) => platform === failure && openssh === noSuchFile,
  },
  'a handle that is not open for this': {
    reason: 'FAILURE; OpenSSH returns what it has for EBADF',
    applies: (step, model) =>
      (step.kind === 'write' && isToRead(step, model)) || (step.kind === 'read' && isToWrite(step, model)),
    isDifference: (platform, openssh) => platform === failure && openssh === noSuchFile,
  },
  'a rename to the same name': {
    reason: 'nothing to do; OpenSSH reports that the new name is taken',
    applies: (step) => step.kind === 'rename' && step.from === step.to,
    isDifference: (platform, openssh) => platform === ok && openssh === failure,
  },
  'a file that another session is writing': {
    reason: 'others see the last committed version, or nothing',
    applies: (step, model) =>
      (step.kind === 'stat' || (step.kind === 'open' && step.mode === 'r')) &&
      model.versions.openElsewhere(step.session, step.path).some(({ content }) => content !== undefined),
    isDifference: (platform, openssh) => platform === noSuchFile || areSizes(platform, openssh),
  },
  'a READ or FSTAT of a committed version': {
    reason: 'later writes do not change it; POSIX reads the present file',
    applies: (step, model) => {
      if ((step.kind !== 'read' && step.kind !== 'fstat') || !isToRead(step, model)) return false;
      const handle = model.handle(step);
      return handle?.snapshot !== undefined || handle?.written?.content === undefined;
    },
    isDifference: (platform, openssh) => areContents(platform, openssh) || areSizes(platform, openssh),
  },
  'a READ or FSTAT of a version that a later OPEN with TRUNCATE replaces': {
    reason: 'it is still that version; POSIX has truncated it',
    applies: (step, model) =>
      (step.kind === 'read' || step.kind === 'fstat') && model.handle(step)?.written?.isOutdated === true,
    isDifference: (platform, openssh) => areContents(platform, openssh) || areSizes(platform, openssh),
  },
  'a handle of a file that was removed': {
    reason: 'a removed or uncommitted version is not kept for open handles; POSIX keeps it until they are closed',
    applies: (step, model) => {
      if (step.kind !== 'read' && step.kind !== 'write' && step.kind !== 'fstat') return false;
      const written = model.handle(step)?.written;
      return written !== undefined && model.versions.isGone(written);
    },
    // FSTAT shows the size that it had, as its writes were refused.
    isDifference: (platform, openssh) =>
      areSizes(platform, openssh) ||
      ((platform === noSuchFile || platform === failure) && (openssh === ok || isContent(openssh))),
  },
  'CLOSE of a file that was removed': {
    reason:
      'an error if another session has removed the file, or a write has failed before; neither server stores anything',
    applies: (step, model) => {
      if (step.kind !== 'close') return false;
      const written = model.handle(step)?.written;
      return (
        written !== undefined &&
        (written.isLost || (model.versions.isGone(written) && written.firstError !== undefined))
      );
    },
    isDifference: (platform, openssh) => (platform === noSuchFile || platform === failure) && openssh === ok,
  },
};

function pathsChangedBy(step: Step): readonly string[] {
  if (step.kind === 'remove') return [step.path];
  return step.kind === 'rename' || step.kind === 'posix-rename' ? [step.from, step.to] : [];
}

function isToRead(step: { handle: number; session: number }, model: FileModel): boolean {
  const handle = model.handle(step);
  return handle !== undefined && isReading(handle);
}

function isToWrite(step: { handle: number; session: number }, model: FileModel): boolean {
  const handle = model.handle(step);
  return handle !== undefined && !isReading(handle) && handle.mode !== 'r+';
}

const isContent = (answer: Expected): boolean =>
  answer === eof || (typeof answer === 'string' && answer.startsWith('text '));
const isSize = (answer: Expected): boolean => typeof answer === 'string' && answer.startsWith('size ');
const areContents = (...answers: Expected[]): boolean => answers.every(isContent);
const areSizes = (...answers: Expected[]): boolean => answers.every(isSize);
