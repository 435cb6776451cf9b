import type { KeyboardAuthContext } from 'ssh2';

/**
 * Asks the client for texts that are not shown, and returns one response for each prompt; none if their number is another one
 * (RFC 4256, section 3.4), or if the client aborts the dialogue, for which ssh2 passes an Error.
 */
export async function promptFor(
  context: KeyboardAuthContext,
  prompts: readonly string[],
  instruction = '',
): Promise<readonly string[]> {
  const answered = Promise.withResolvers<unknown>();
  const shown = prompts.map((prompt) => ({ prompt, echo: false }));
  context.prompt(shown, '', instruction, answered.resolve);
  const answers = await answered.promise;
  const texts = Array.isArray(answers) ? answers.filter((answer) => typeof answer === 'string') : [];
  return texts.length === prompts.length ? texts : [];
}
