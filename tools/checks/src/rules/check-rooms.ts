import { posix } from 'node:path';
import { findCircles } from './find-circles.ts';
import { importsOf } from './imports-of.ts';
import { floors } from './rooms.ts';
import type { Finding, SourceFile } from './source-file.ts';

/** How many production files one room may hold; migrations, which only grow, are not counted. */
const filesPerRoom = 20;

const production = /^(packages|services|tools|bench)\/[^/]+\/src\/.*\.tsx?$/;

/** The tables that `checkRooms` reads; tests bring their own. */
export interface RoomRules {
  readonly floors: Readonly<Record<string, readonly string[]>>;
  readonly filesPerRoom: number;
}

/** Checks the rooms of every package: their sizes, the arrows between them, and that no imports form a circle. */
export function checkRooms(tree: readonly SourceFile[], rules: RoomRules = { floors, filesPerRoom }): Finding[] {
  const files = tree.filter(({ path }) => production.test(path) && !path.endsWith('.test.ts'));
  const neighbours = new Map(files.map((file) => [file.path, neighboursOf(file)]));
  return [
    ...crowdedRooms(files, rules),
    ...unknownRooms(files, rules),
    ...files.flatMap((file) => upwardArrows(file, neighbours.get(file.path) ?? [], rules)),
    ...findCircles(new Map([...neighbours].map(([path, arrows]) => [path, arrows.map(({ target }) => target)]))).map(
      (circle) => ({ path: circle[0] ?? '', message: `imports form a circle: ${[...circle, circle[0]].join(' -> ')}` }),
    ),
  ];
}

interface Arrow {
  readonly target: string;
  readonly line: number;
}

function neighboursOf(file: SourceFile): Arrow[] {
  return importsOf(file).flatMap(({ specifier, line }) =>
    specifier?.startsWith('.') === true ? [{ target: posix.join(posix.dirname(file.path), specifier), line }] : [],
  );
}

function crowdedRooms(files: readonly SourceFile[], rules: RoomRules): Finding[] {
  const rooms = Map.groupBy(files, ({ path }) => posix.dirname(path));
  return [...rooms]
    .filter(([room, { length }]) => length > rules.filesPerRoom && posix.basename(room) !== 'migrations')
    .map(([room, { length }]) => ({
      path: room,
      message: `holds ${length} files, and a room at most ${rules.filesPerRoom}: divide it into rooms`,
    }));
}

function unknownRooms(files: readonly SourceFile[], rules: RoomRules): Finding[] {
  const rooms = new Set(files.flatMap(({ path }) => roomsAbove(posix.dirname(path))));
  return [...rooms]
    .filter((room) => !(rules.floors[posix.dirname(room)] ?? []).includes(posix.basename(room)))
    .map((room) => ({ path: room, message: `has no floor in tools/checks/src/rules/rooms.ts` }));
}

/** The folder itself and its parent folders, without `src`. */
function roomsAbove(folder: string): string[] {
  return posix.basename(folder) === 'src' ? [] : [folder, ...roomsAbove(posix.dirname(folder))];
}

function upwardArrows(file: SourceFile, arrows: readonly Arrow[], rules: RoomRules): Finding[] {
  return arrows.flatMap(({ target, line }) => {
    const folder = commonFolder(file.path, target);
    const [from, to] = [nameWithin(folder, file.path), nameWithin(folder, target)];
    const names = rules.floors[folder];
    if (names === undefined || floorOf(names, from) <= floorOf(names, to)) return [];
    return [{ path: file.path, line, message: `${from} stands below ${to} in ${folder} and imports nothing from it` }];
  });
}

function floorOf(names: readonly string[], name: string): number {
  return names.indexOf(name);
}

function commonFolder(one: string, other: string): string {
  const [parts, others] = [posix.dirname(one).split('/'), posix.dirname(other).split('/')];
  const end = parts.findIndex((part, index) => part !== others[index]);
  return parts.slice(0, end === -1 ? parts.length : end).join('/');
}

function nameWithin(folder: string, path: string): string {
  return path.slice(folder.length + 1).split('/')[0] ?? '';
}
