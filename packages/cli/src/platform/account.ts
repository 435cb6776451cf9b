import type { Invocation } from '../command.ts';
import { type Context, openContextStore, type Side } from './contexts.ts';
import { chooseContext, platformOptions, readAuthority } from './open-platform.ts';
import { textOption } from './option-values.ts';

/** The options of commands about the account of a user, who proves a password. */
export const accountOptions = {
  url: {
    ...platformOptions.url,
    explanation: 'The address of the platform, with --user; otherwise those of a login are used.',
  },
  user: { ...platformOptions.url, ...textOption('name', 'The user whose account it is.') },
  context: platformOptions.context,
  ca: platformOptions.ca,
};

/** The option with which such a user proves a second factor. */
export const oneTimeCodeOption = textOption(
  'code',
  'A code of the second factor; without it, a terminal asks for one.',
);

/** The account of `--url` and `--user`, on the manager's side unless another one is wanted, or of a context of this side, or of any. */
export async function accountOf(
  invocation: Pick<Invocation, 'values' | 'env'>,
  side: Side | undefined,
): Promise<Pick<Context, 'side' | 'url' | 'user' | 'ca'>> {
  const { url, user, context: named } = invocation.values;
  const ca = await readAuthority(invocation);
  if (typeof url === 'string' && typeof user === 'string') return { side: side ?? 'manager', url, user, ca };
  const store = openContextStore(invocation);
  const { context } = await chooseContext(store, typeof named === 'string' ? named : undefined, side);
  return { ...context, ca: ca ?? context.ca };
}
