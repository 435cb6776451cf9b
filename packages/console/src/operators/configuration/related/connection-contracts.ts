import { z } from 'zod';

/** The settings of a Connection Contract that pages show and follow. */
export const connectionContractSchema = z.looseObject({
  name: z.string(),
  source: z.string().nullable(),
  enabled: z.boolean().default(true),
  cluster: z.string(),
  server: z.string(),
  clauses: z.array(
    z.looseObject({
      user: z.string().optional(),
      group: z.string().optional(),
      vfs: z.string(),
      mountPath: z.string().default('/'),
    }),
  ),
});

/** The Connection Contracts of a partner. */
export type ConnectionContract = z.infer<typeof connectionContractSchema>;

type Clause = ConnectionContract['clauses'][number];

/** A place at which somebody finds files, and a Connection Contract that leads there. */
export interface Entry {
  readonly mountPath: string;
  readonly contract: ConnectionContract;
}

/** The places to which some clauses lead, each once: by a contract that is enabled, if there is one. */
export function entriesOf(
  contracts: readonly ConnectionContract[],
  matches: (clause: Clause) => boolean,
): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const contract of contracts.toSorted((one, other) => Number(other.enabled) - Number(one.enabled)))
    for (const { mountPath } of contract.clauses.filter(matches))
      if (!entries.has(mountPath)) entries.set(mountPath, { mountPath, contract });
  return [...entries.values()];
}

/** Whether a clause is for a user, or for a group of the user. */
export function isFor(
  { user, group }: Clause,
  { name, groups }: { readonly name: string; readonly groups: readonly string[] },
): boolean {
  return user === name || (group !== undefined && groups.includes(group));
}
