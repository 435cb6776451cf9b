import type { LoginBans } from './login-ban.ts';

/** Combines the bans of several interfaces: one list, lifted together. */
export function joinLoginBans(doors: readonly LoginBans[]): Omit<LoginBans, 'isBanned' | 'find'> {
  return {
    list: async () => {
      const lists = await Promise.all(doors.map((bans) => bans.list()));
      return lists.flat().toSorted((one, other) => one.until.getTime() - other.until.getTime());
    },
    lift: async (address) => {
      const lifted = await Promise.all(doors.map((bans) => bans.lift(address)));
      return lifted.flat();
    },
    liftOfUser: async (userName) => {
      const lifted = await Promise.all(doors.map((bans) => bans.liftOfUser(userName)));
      return lifted.flat();
    },
  };
}
