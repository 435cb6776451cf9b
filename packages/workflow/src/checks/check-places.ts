import { knownPlaceOf, type PlacedPath } from '@waybill/contracts/tasks/file-place';
import { type GrantedRight, type GrantedRights, isGranted } from '@waybill/contracts/tasks/granted-right';
import { rightsFor } from '@waybill/contracts/tasks/task-specification';
import { isWithin, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { specificationOf } from './check-parameters.ts';
import type { ReachedFiles } from './template-context.ts';
import type { TemplateFault, WrittenStep } from './template-fault.ts';

/**
 * Paths in other VFSs that the action does not grant, as far as they are known before the job runs: a path that is one
 * expression is checked by the job alone.
 */
export function checkPlaces(
  step: WrittenStep,
  path: TemplateFault['path'],
  files: ReachedFiles | undefined,
): TemplateFault[] {
  const specification = specificationOf(step.uses);
  if (!specification || !files) return [];
  return Object.entries(step.with).flatMap(([name, value]) => {
    const rights = rightsFor(specification.parameters.shape[name]);
    return textsOf(value, [...path, name]).flatMap(({ text, place }) => {
      const known = rights.length === 0 ? undefined : knownPlaceOf(text);
      if (known?.vfs === undefined || known.vfs === files.vfs) return [];
      return rights
        .filter((right) => !mayBeGranted(files.grants, known, right))
        .map((right) => ({ path: place, message: refusal(files, known, right) }));
    });
  });
}

function refusal(
  { title, grants }: ReachedFiles,
  { vfs, path, isWhole }: PlacedPath & { isWhole: boolean },
  right: GrantedRight,
): string {
  if (!grants.some((grant) => grant.vfs === vfs)) return `the action ${title} has no grant for the VFS ${vfs}`;
  return `the action ${title} does not grant ${right} ${isWhole ? 'at' : 'below'} ${path} of the VFS ${vfs}`;
}

/** Of a path that is known in part, any continuation may be granted. */
function mayBeGranted(
  grants: readonly GrantedRights[],
  { vfs, path, isWhole }: { vfs?: string | undefined; path: VirtualPath; isWhole: boolean },
  right: GrantedRight,
): boolean {
  if (vfs === undefined || isGranted(grants, { vfs, path, right })) return true;
  return (
    !isWhole &&
    grants.some(
      (grant) =>
        grant.vfs === vfs && grant.rights.includes(right) && grant.path !== undefined && isWithin(grant.path, path),
    )
  );
}

/** A parameter is a path or a list of paths. */
function textsOf(value: unknown, place: TemplateFault['path']): { text: string; place: TemplateFault['path'] }[] {
  if (typeof value === 'string') return [{ text: value, place }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) =>
    typeof item === 'string' ? [{ text: item, place: [...place, index] }] : [],
  );
}
