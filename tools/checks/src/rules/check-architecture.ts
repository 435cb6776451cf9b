import { posix } from 'node:path';
import { arrows, libraryOwners, onlyLibraries, refusedInDomain } from './architecture.ts';
import { importsOf } from './imports-of.ts';
import type { Finding, SourceFile } from './source-file.ts';

const sourcePattern = /^(packages|services|tools)\/([^/]+)\/.*\.(tsx?|js)$/;
const testPattern = /(\.test\.ts$|\/tests\/)/;

/** Holds every import of the workspace against the table in `architecture.ts`. */
export function checkArchitecture(tree: readonly SourceFile[]): Finding[] {
  const services = new Set(tree.flatMap(({ path }) => /^services\/([^/]+)\//.exec(path)?.[1] ?? []));
  return tree.flatMap((file) => {
    const owner = ownerOf(file.path);
    if (owner === undefined) return [];
    if (arrows[owner] === undefined) {
      return [{ path: file.path, message: `${owner} has no line in tools/checks/src/rules/architecture.ts` }];
    }
    return importsOf(file).flatMap(({ specifier, line }) => {
      const message =
        specifier === undefined
          ? 'imports what is computed at run time'
          : refusal(file.path, owner, specifier, services);
      return message === undefined ? [] : [{ path: file.path, line, message }];
    });
  });
}

function ownerOf(path: string): string | undefined {
  const match = sourcePattern.exec(path);
  return match === null ? undefined : `${match[1]}/${match[2]}`;
}

function refusal(path: string, owner: string, specifier: string, services: ReadonlySet<string>): string | undefined {
  if (specifier.startsWith('.')) return refusalOfNeighbour(path, owner, specifier);
  if (isInDomain(path) && refusedInDomain.some((refused) => isWithin(specifier, refused))) {
    return `the domain does not import ${specifier}`;
  }
  if (specifier.startsWith('@waybill/')) return refusalOfArrow(path, owner, specifier, services);
  return specifier.startsWith('node:') ? refusalOfBuiltin(owner, specifier) : refusalOfLibrary(path, owner, specifier);
}

function refusalOfNeighbour(path: string, owner: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (!isWithin(target, owner)) return `${specifier} leaves ${owner}: name the package instead`;
  if (isInDomain(path) && !testPattern.test(path) && !isInDomain(target) && target !== `${owner}/src/events.ts`) {
    return `the domain imports nothing of its service but events: ${specifier}`;
  }
  return undefined;
}

function refusalOfArrow(
  path: string,
  owner: string,
  specifier: string,
  services: ReadonlySet<string>,
): string | undefined {
  const name = specifier.split('/')[1] ?? '';
  const isTest = testPattern.test(path);
  const isItself = owner.endsWith(`/${name}`);
  if (isItself && !isTest) return `${specifier} is in this very package: import the file by its relative path`;
  const isAllowed = arrows[owner]?.includes(name) === true || (isTest && (isItself || !services.has(name)));
  return isAllowed ? undefined : `there is no arrow from ${owner} to ${name}`;
}

function refusalOfBuiltin(owner: string, specifier: string): string | undefined {
  return owner === 'packages/contracts' ? `contracts run anywhere and import no ${specifier}` : undefined;
}

function refusalOfLibrary(path: string, owner: string, specifier: string): string | undefined {
  if (testPattern.test(path)) return undefined;
  const library = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const owners = libraryOwners[library];
  if (owners !== undefined && !owners.includes(owner)) return `${library} belongs to ${owners.join(', ')}`;
  const allowed = onlyLibraries[owner];
  return allowed === undefined || allowed.includes(library) ? undefined : `${owner} does not import ${library}`;
}

function isInDomain(path: string): boolean {
  return /\/src\/domain\//.test(path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
