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
compdef _waybill waybill`,
  fish: `function __waybill_complete
  set -l words (commandline -opc) (commandline -ct)
  waybill __complete $words[2..-1] 2>/dev/null
end
complete -c waybill -a '(__waybill_complete)'`,
};

/** Prints the completion of a shell. */
export const completionCommand: Command = {
  summary: 'Prints a script that completes commands, options and contexts in a shell.',
  usage: 'bash|zsh|fish',
  examples: [
    'source <(waybill completion bash)',
    'waybill completion zsh > "${fpath[1]}/_waybill"',
    'waybill completion fish > ~/.config/fish/completions/waybill.fish',
  ],
  positionals: ['shell'],
  run: async ({ positionals: [shell = ''], out }) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) throw new UsageError(`give ${Object.keys(scripts).join(', ')}`);
    out(script);
  },
};
