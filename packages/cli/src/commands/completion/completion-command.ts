import { type Command, UsageError } from '../../command.ts';

/** Scripts ask `waybill __complete` with the words so far; the last one is what is being typed. */
const scripts: Readonly<Record<string, string>> = {
  // Bash divides words at `=`, `:` and `@` as well: they are put together again, and only what follows the last one is replaced.
  bash: `_waybill() {
  local at word part rest="\${COMP_LINE:0:COMP_POINT}" last=-1 line words=()
  for ((at = 0; at <= COMP_CWORD; at++)); do
    part="\${rest#"\${rest%%[![:space:]]*}"}"
    if ((at == 0)) || [[ "$part" != "$rest" ]]; then words[++last]=""; fi
    word="\${COMP_WORDS[at]}"
    if ((at == COMP_CWORD)); then word="$part"; fi
    words[last]+="$word"
    rest="\${part:\${#word}}"
  done
  local typed="\${words[last]}" breaks="\${COMP_WORDBREAKS//[^=:@]/}" kept=""
  if [[ -n "$breaks" ]]; then kept="\${typed%"\${typed##*[$breaks]}"}"; fi
  COMPREPLY=()
  while IFS= read -r line; do
    printf -v line '%q' "\${line#"$kept"}"
    COMPREPLY+=("$line")
  done < <(waybill __complete "\${words[@]:1}" 2>/dev/null)
}
# Before 4.4, bash sorts what is offered.
complete -o default -o nosort -F _waybill waybill 2>/dev/null || complete -o default -F _waybill waybill`,
  zsh: `#compdef waybill
_waybill() {
  local -a found
  found=("\${(@f)$(waybill __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -V words -a found; else compset -P '--*='; _files; fi
}
# In a folder of fpath, the file is the function at the first completion.
if [[ "$funcstack[1]" == _waybill ]]; then _waybill "$@"; else compdef _waybill waybill; fi`,
  fish: `function __waybill_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (waybill __complete $words[2..-1] 2>/dev/null)
  if count $found >/dev/null
    printf '%s\\n' $found
  else
    set -l option (string match -r -- '^--[^=]+=' (commandline -ct))
    string replace -r -- '^' "$option" (__fish_complete_path (string replace -r -- '^--[^=]+=' '' (commandline -ct)))
  end
end
complete -c waybill -f -a '(__waybill_complete)'`,
};

/** Prints the completion of a shell. */
export const completionCommand: Command = {
  summary: 'Prints a script that completes commands, options and contexts in a shell.',
  examples: [
    'source <(waybill completion bash)',
    'waybill completion zsh > "${fpath[1]}/_waybill"',
    'waybill completion fish > ~/.config/fish/completions/waybill.fish',
  ],
  arguments: { shell: 'The shell.' },
  words: { shell: Object.keys(scripts) },
  run: async ({ positionals: [shell = ''], out }) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) throw new UsageError(`give ${Object.keys(scripts).join(', ')}`);
    out(script);
  },
};
