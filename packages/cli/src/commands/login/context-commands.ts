import { type Command, UsageError } from '../../command.ts';
import { openContextStore } from '../../platform/contexts.ts';
import { chooseContext } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable, renderTable } from '../../platform/render-table.ts';
import { endLogin } from './login-commands.ts';

/** Lists the contexts. */
export const listContextsCommand: Command = {
  summary: 'Lists the platforms and logins of this machine; `*` marks those that are used without `--context`.',
  examples: ['waybill context list', "waybill context list --json | jq -r '.[].name'"],
  options: { json: jsonOption },
  run: async (invocation) => {
    const { current, contexts } = await openContextStore(invocation).read();
    const rows = Object.entries(contexts).map(([name, context]) => ({
      name,
      side: context.side,
      url: context.url,
      user: context.user,
      isCurrent: current[context.side] === name,
      isLoggedIn: (context.side === 'manager' ? context.tokens : context.cookie) !== undefined,
    }));
    if (invocation.values['json'] === true) {
      invocation.out(JSON.stringify(rows));
      return;
    }
    const cells = rows.map(({ name, side, url, user, isCurrent, isLoggedIn }) => [
      isCurrent ? '*' : '',
      name,
      side,
      url,
      user,
      isLoggedIn ? 'logged in' : 'logged out',
    ]);
    for (const line of renderTable(['', 'NAME', 'SIDE', 'URL', 'USER', 'LOGIN'], cells)) invocation.out(line);
  },
};

/** Changes the context that is used without `--context`. */
export const useContextCommand: Command = {
  summary: 'Uses a context from now on: for files if it is that of a partner, otherwise for everything else.',
  examples: ['waybill context use admin@127.0.0.1:9443'],
  arguments: { name: 'The name in `waybill context list`.' },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    await openContextStore(invocation).update(async ({ current, contexts }) => {
      const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
      if (!context) throw new UsageError(`there is no context ${name}; \`waybill context list\` lists them`);
      current[context.side] = name;
    });
    invocation.out(`Using ${name}`);
  },
};

/** Forgets a context. */
export const removeContextCommand: Command = {
  summary:
    'Ends the login of a context at the platform, and removes the context with its tokens from this machine; of a platform that does not answer, too. The current context can be removed: no other one becomes current.',
  examples: ['waybill context remove admin@127.0.0.1:9443'],
  arguments: { name: 'The name in `waybill context list`.' },
  options: { json: jsonOption },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    const store = openContextStore(invocation);
    const { context } = await chooseContext(store, name, undefined);
    const isLoginEnded = await endLogin(invocation, name, context);
    const wasCurrent = await store.update(async ({ current, contexts }) => {
      delete contexts[name];
      const isCurrent = current[context.side] === name;
      if (isCurrent) delete current[context.side];
      return isCurrent;
    });
    const { side, url } = context;
    printOne(invocation, { name, side, url, wasCurrent, isLoginEnded }, [`Removed ${printable(name)}`]);
    if (!isLoginEnded) invocation.err(`${printable(url)} did not answer: there the login ends by itself`);
    if (!wasCurrent) return;
    const whose = side === 'partner' ? 'for files' : 'of a manager user';
    invocation.err(`No context ${whose} is current now: \`waybill context use <name>\` or \`waybill login\` sets one.`);
  },
};
