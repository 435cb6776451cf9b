/** The command with which a manager user sets a first password. `url`: the address of the administrators' side. */
export function firstPasswordCommand(
  { userName, code }: { readonly userName: string; readonly code: string },
  url: string,
): string {
  return `waybill login --url ${shellWord(url)} --user ${shellWord(userName)} --code ${code}`;
}

/** A word as a shell reads it. */
export function shellWord(word: string): string {
  return /^[\w.:/@-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
