import { allPermissions, type Permission } from '@waybill/contracts/values/permission';

/** A user of the test: what the user may do in `/vfs/place`, and in the folder above. */
export interface TestUser {
  readonly name: string;
  readonly inPlace: readonly Permission[];
  readonly above: readonly Permission[];
}

/** One user for each set of permissions that is compared. */
export const testUsers: readonly TestUser[] = [
  { name: 'nothing', inPlace: [], above: [] },
  { name: 'nothing-below-list', inPlace: [], above: ['list'] },
  ...allPermissions.map((only) => ({ name: `only-${only}`, inPlace: [only], above: [] })),
  ...allPermissions.map((one) => ({
    name: `all-but-${one}`,
    inPlace: allPermissions.filter((other) => other !== one),
    above: [],
  })),
  { name: 'everything', inPlace: allPermissions, above: [] },
];

/** What is at the path of an operation. */
export const situations = [
  'own file',
  'file of another',
  'empty folder',
  'full folder',
  'unfinished upload',
  'nothing',
  'no folder above',
  'file above',
  'mount',
  'way to a mount',
  'way inside a mount',
  'nothing mounted',
  'hidden file',
  'hidden folder',
  'hidden nothing',
  'below hidden folder',
  'below hidden nothing',
] as const;

/** What is at the path of an operation. */
export type Situation = (typeof situations)[number];

/** Situations with paths at which users may do nothing: they must not learn which of the two it is. */
export const alike: readonly (readonly [Situation, Situation])[] = [
  ['hidden file', 'hidden nothing'],
  ['hidden folder', 'hidden nothing'],
  ['below hidden folder', 'below hidden nothing'],
];

/** The path of a situation. `tag` is of the operation and the door: one never meets what the other has done. */
export function pathIn(situation: Situation, tag: string): string {
  switch (situation) {
    case 'no folder above':
      return `/vfs/place/no-folder.${tag}/x`;
    case 'file above':
      return '/vfs/place/file-above/x';
    case 'mount':
      return '/vfs/mounted';
    case 'way to a mount':
      return '/way';
    case 'way inside a mount':
      return '/vfs/inner';
    case 'nothing mounted':
      return `/nowhere/${tag}`;
    case 'hidden file':
      return '/vfs/place/hidden-file';
    case 'hidden folder':
      return '/vfs/place/hidden-folder';
    case 'below hidden folder':
      return '/vfs/place/hidden-folder/x';
    case 'below hidden nothing':
      return '/vfs/place/hidden-nothing/x';
    case 'hidden nothing':
      return '/vfs/place/hidden-nothing';
    default:
      return `/vfs/place/${situation.replaceAll(' ', '-')}.${tag}`;
  }
}
