import type { Command } from './command.ts';
import { applyCommand } from './commands/apply-command.ts';
import { keysCommand } from './commands/keys-command.ts';
import { migrateCommand } from './commands/migrate-command.ts';
import { planCommand } from './commands/plan-command.ts';

/** All that `waybill` can do, in the order in which its help names it. */
export const commands = {
  migrate: migrateCommand,
  plan: planCommand,
  apply: applyCommand,
  keys: keysCommand,
} as const satisfies Record<string, Command>;
