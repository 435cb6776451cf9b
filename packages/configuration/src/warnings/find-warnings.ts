import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { type FileTrigger, isFileTrigger } from '@waybill/contracts/configuration/workflow-configuration';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { hasWildcard } from '@waybill/contracts/values/path-pattern';
import {
  isWithin,
  maxNameBytes,
  parseVirtualPath,
  rootPath,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { findEntry } from '@waybill/filebox/entries/find-entry';
import type { Database } from '@waybill/postgres/database';
import type { Warning } from '../document/warning.ts';
import { findActionWarnings } from './find-action-warnings.ts';
import { findKeyWarnings } from './find-key-warnings.ts';
import { findMissingSecrets } from './find-missing-secrets.ts';

type Actor = ActorConfiguration;

/**
 * Warns of secrets that are not stored, expired keys, patterns that no file name can match, triggers and expectations on folders that
 * do not exist, and errors in actions.
 */
export async function findWarnings(
  db: Database,
  configuration: PlatformConfiguration,
  now = new Date(),
): Promise<Warning[]> {
  const { actors } = configuration;
  const warnings = actors.flatMap((actor, index) => expiredIn(actor, `actors[${index}]`, now));
  for (const [index, actor] of actors.entries()) {
    for (const { watch, place, consequence } of watchesOf(actor, `actors[${index}]`)) {
      const objection = objectionTo(watch.filePattern);
      if (objection !== undefined) warnings.push({ place: `${place}.filePattern`, message: objection });
      const missing = await missingFolder(db, actor, watch, consequence);
      if (missing !== undefined) warnings.push({ place: `${place}.virtualPath`, message: missing });
    }
  }
  return [
    ...warnings,
    ...(await findKeyWarnings(configuration, now)),
    ...(await findMissingSecrets(db, configuration)),
    ...findActionWarnings(configuration),
  ];
}

function expiredIn({ users, groups }: Actor, actor: string, now: Date): Warning[] {
  const check = (place: string, what: string, end: string | undefined): Warning[] => {
    if (end === undefined || Date.parse(end) > now.getTime()) return [];
    const lastDay = lastDayOf(end);
    return [{ place, message: `${what} ended ${lastDay === undefined ? `at ${end}` : `with ${lastDay}`}` }];
  };
  const endedGroups = groups.flatMap(({ expires }, index) =>
    check(`${actor}.groups[${index}].expires`, 'the group', expires),
  );
  const endedOfUsers = users.flatMap(({ publicKeys, legacyAlgorithms }, index) => {
    const user = `${actor}.users[${index}]`;
    return [
      ...publicKeys.flatMap(({ expires }, k) => check(`${user}.publicKeys[${k}].expires`, 'the key', expires)),
      ...check(`${user}.legacyAlgorithms.until`, 'the permission', legacyAlgorithms?.until),
    ];
  });
  return [...endedOfUsers, ...endedGroups];
}

/** The files that a trigger or an expectation waits for. */
type Watch = Pick<FileTrigger, 'vfs' | 'virtualPath' | 'filePattern'>;

/** What enabled contracts wait for, and what happens if it never comes. */
function watchesOf({ contracts }: Actor, actor: string): { watch: Watch; place: string; consequence: string }[] {
  return contracts.flatMap(({ enabled, actions, expectations = [] }, c) => {
    if (!enabled) return [];
    const place = `${actor}.contracts[${c}]`;
    return [
      ...expectations.map((watch, e) => ({
        watch,
        place: `${place}.expectations[${e}]`,
        consequence: 'so its files are always missing',
      })),
      ...actions.flatMap(({ trigger }, a) =>
        isFileTrigger(trigger)
          ? [
              {
                watch: trigger,
                place: `${place}.actions[${a}].trigger`,
                consequence: 'so nothing starts the action',
              },
            ]
          : [],
      ),
    ];
  });
}

function objectionTo(pattern: string): string | undefined {
  const literal = pattern.replaceAll('*', '');
  if (Buffer.byteLength(literal) > maxNameBytes) {
    return `no file matches: a name has at most ${maxNameBytes} bytes, and the pattern requires ${Buffer.byteLength(literal)}`;
  }
  if (pattern === '.' || pattern === '..') return 'no file matches: no file has this name';
  const mistaken = /[?[\]{}|\\]/u.exec(pattern)?.[0];
  return mistaken === undefined
    ? undefined
    : `only names that contain ${mistaken} match: * is the only wildcard, and every other character is literal`;
}

/** Folders exist in the configuration, or users create them: then they are in the index. */
async function missingFolder(
  db: Database,
  actor: Actor,
  { vfs, virtualPath }: Watch,
  consequence: string,
): Promise<string | undefined> {
  if (hasWildcard(virtualPath)) return undefined;
  const path = parseVirtualPath(virtualPath);
  const configured = (actor.virtualFileSystems.find(({ name }) => name === vfs)?.folders ?? []).map((folder) =>
    parseVirtualPath(folder),
  );
  if (path === rootPath || configured.some((folder) => isWithin(folder, path))) return undefined;
  if (await isStoredFolder(db, vfs, path)) return undefined;
  const hint = suggestion(path, configured);
  return `the VFS ${vfs} has no folder ${path}, ${consequence}${hint}`;
}

async function isStoredFolder(db: Database, vfsName: string, path: VirtualPath): Promise<boolean> {
  const vfs = await openDirectory({ db, cacheMs: 0 }).findVfsByName(vfsName);
  return vfs !== undefined && (await findEntry(db, vfs.id, path))?.kind === 'folder';
}
