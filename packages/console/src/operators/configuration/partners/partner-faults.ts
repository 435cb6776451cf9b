import { RequestFailure } from '../../api/request-failure.ts';
import type { NewPartner, NewPartnerTexts } from './new-partner.ts';

/** What was refused of a new partner, at the fields of its form. */
export interface PartnerFaults {
  readonly texts: Readonly<Record<keyof NewPartnerTexts, string | undefined>>;
  /** Of the names of contracts, in the order of the servers. */
  readonly contracts: readonly (string | undefined)[];
  /** Of the choice of the servers. */
  readonly servers: string | undefined;
  /** What belongs to no field. */
  readonly failure: Error | null;
}

/** The settings of an object that have a field of their own. */
const fieldsOfSettings: Readonly<Record<string, keyof NewPartnerTexts | 'servers'>> = {
  password: 'password',
  publicKeys: 'publicKey',
  folders: 'folders',
  cluster: 'servers',
  server: 'servers',
};

/** The first change that is one of a Connection Contract: actor, user and virtual file system come before. */
const firstContract = 3;

type Field = keyof NewPartnerTexts | 'servers' | number;

/** Tells each field what is wrong with it, once: the name of the partner is part of each object. */
export function faultsOf(given: NewPartner, failure: Error | null): PartnerFaults {
  const messages = new Map<Field, Set<string>>();
  const fields = failure instanceof RequestFailure ? failure.fields : [];
  const isTaken = failure instanceof RequestFailure && failure.code === 'entity_exists';
  let isAnywhereElse = fields.length === 0;
  for (const { field: place, message } of fields) {
    const field = fieldAt(given, isTaken ? `${place}.object.name` : place);
    if (field === undefined) isAnywhereElse = true;
    else messages.set(field, (messages.get(field) ?? new Set()).add(message));
  }
  const of = (field: Field): string | undefined => {
    const found = messages.get(field);
    return found && [...found].join('; ');
  };
  return {
    texts: {
      actor: of('actor'),
      user: of('user'),
      password: of('password'),
      publicKey: of('publicKey'),
      files: of('files'),
      folders: of('folders'),
    },
    contracts: given.servers.map((_, index) => of(index)),
    servers: of('servers'),
    failure: isAnywhereElse ? failure : null,
  };
}

/** The field of a place such as `changes[1].object.actor`; a number is that of a contract's name. */
function fieldAt(given: NewPartner, place: string): Field | undefined {
  const [, change, part, setting = ''] = /^changes\[(\d+)\]\.(object|create)\.(\w+)/u.exec(place) ?? [];
  if (change === undefined) return undefined;
  if (part === 'create' && setting !== 'name') return fieldsOfSettings[setting];
  if (setting !== 'name' && setting !== 'actor') return undefined;
  return setting === 'actor' ? 'actor' : fieldOfName(given, Number(change));
}

/** A name that was left empty follows from that of the partner. */
function fieldOfName(given: NewPartner, change: number): Field {
  if (change >= firstContract) {
    const index = change - firstContract;
    return given.servers[index]?.contract.trim() ? index : 'actor';
  }
  const field = (['actor', 'user', 'files'] as const)[change] ?? 'actor';
  return given[field].trim() === '' ? 'actor' : field;
}
