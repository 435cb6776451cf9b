import { type Command, UsageError } from '../../command.ts';

/** Scripts ask `waybill __complete` with the words so far; the last one is what is being typed. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_waybill() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(waybill __complete "\${words[@]}" 2>/dev/null)
}
complete -o default -F _waybill waybill`,
  zsh: `#compdef waybill
_waybill() {
  local -a found
  found=("\${(@f)$(waybill __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
# In a folder of fpath, the file is the function at the first completion.
if [[ "$funcstack[1]" == _waybill ]]; then _waybill "$@"; else compdef _waybill waybill; fi`,
  fish: `function __waybill_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (waybill __complete $words[2..-1] 2>/dev/null)
  if count $found >/dev/null
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
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
