/** The settings of a group that its members get. */
export interface DefinedGroup {
  readonly name: string;
  readonly enabled: boolean;
  /** The instant at which it ends, in ISO 8601. */
  readonly expires: string | null;
  readonly networks: readonly string[] | null;
  readonly maxSessions: number | null;
}

/** Networks from one of which a user has to log in. */
export interface NetworkRule {
  /** The group that sets them; `undefined`: the user. */
  readonly group: string | undefined;
  readonly networks: readonly string[];
}

/** A group that gives its members nothing. */
export interface EndedGroup {
  readonly name: string;
  /** As in `is disabled`. */
  readonly why: string;
}

/** What a user gets from groups. */
export interface Memberships {
  /** The groups by whose clauses and permissions the user may do something; not those that have ended. */
  readonly groups: readonly string[];
  readonly endedGroups: readonly EndedGroup[];
  /** All have to be met. */
  readonly networks: readonly NetworkRule[];
  readonly maxSessions: number | null;
  /** The next instant at which one of `groups` ends, in ISO 8601. */
  readonly groupsExpire: string | undefined;
}

/** The settings of a user by which those of groups are replaced. */
interface OwnSettings {
  readonly groups: readonly string[];
  readonly networks: readonly string[] | null;
  readonly maxSessions: number | null;
}

/** A column of a user `u`: the groups of the user that have settings. */
export const definedGroupsColumn = `coalesce((
       SELECT jsonb_agg(jsonb_build_object('name', g.name, 'enabled', g.definition -> 'enabled',
                'expires', g.definition -> 'expires', 'networks', g.definition -> 'networks',
                'maxSessions', g.definition -> 'maxSessions') ORDER BY g.name)
         FROM directory.user_groups g WHERE g.actor_id = u.actor_id AND g.name = ANY (u.groups)), '[]')`;

/**
 * Combines the settings of a user with those of the groups. What the user sets replaces what groups set. Otherwise every group
 * limits: the networks of each have to contain the address, and the fewest sessions apply. That a group has ended takes away
 * what it gives, and leaves its limits.
 */
export function combineMemberships(
  { groups: names, networks, maxSessions }: OwnSettings,
  defined: readonly DefinedGroup[],
  nowMs = Date.now(),
): Memberships {
  const endings = new Map(defined.map((group) => [group.name, whyEnded(group, nowMs)]));
  const running = defined.filter(({ name }) => endings.get(name) === undefined);
  const ends = running.flatMap(({ expires }) => expires ?? []);
  const sessions = defined.flatMap(({ maxSessions: most }) => most ?? []);
  return {
    groups: names.filter((name) => endings.get(name) === undefined),
    endedGroups: [...endings].flatMap(([name, why]) => (why === undefined ? [] : [{ name, why }])),
    networks: networks === null ? defined.flatMap(networkRuleOf) : [{ group: undefined, networks }],
    maxSessions: maxSessions ?? (sessions.length === 0 ? null : Math.min(...sessions)),
    groupsExpire: ends.toSorted((one, other) => Date.parse(one) - Date.parse(other))[0],
  };
}

function networkRuleOf({ name, networks }: DefinedGroup): NetworkRule[] {
  return networks === null ? [] : [{ group: name, networks }];
}

function whyEnded({ enabled, expires }: DefinedGroup, nowMs: number): string | undefined {
  if (!enabled) return 'is disabled';
  return expires !== null && Date.parse(expires) <= nowMs ? `has expired at ${expires}` : undefined;
}
