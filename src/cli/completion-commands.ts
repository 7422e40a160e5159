import { Argument, type Command } from 'commander';
import { suggestWords } from './suggest-words.ts';
import type { Terminal } from './terminal.ts';

/** Each asks the programme itself what may follow, so that it always fits the version that runs. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_zonewright() {
  local IFS=$'\\n'
  COMPREPLY=($(zonewright completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _zonewright zonewright
`,
  zsh: `#compdef zonewright
_zonewright() {
  local -a found
  found=("\${(@f)$(zonewright completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _zonewright ]]; then _zonewright "$@"; else compdef _zonewright zonewright; fi
`,
  fish: `complete -c zonewright -a '(zonewright completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};

/** `zonewright completion …`: completion of commands, options, domains and profiles in shells. */
export function addCompletionCommands(program: Command, terminal: Terminal): void {
  const group = program.command('completion').description('complete commands in bash, zsh and fish');
  const targets = {
    bash: 'source <(zonewright completion bash)',
    zsh: 'source <(zonewright completion zsh)',
    fish: 'zonewright completion fish | source',
  };
  for (const [shell, example] of Object.entries(targets)) {
    group
      .command(shell)
      .description(`print the script for ${shell}`)
      .addHelpText('after', `\nExample:\n  $ ${example}`)
      .action(() => terminal.print(scripts[shell] ?? ''));
  }

  group
    .command('words')
    .description('print what may stand in the place of the last word; asked by the scripts')
    .addArgument(new Argument('[words...]', 'the command line so far, behind --'))
    .addHelpText('after', '\nExample:\n  $ zonewright completion words -- record li')
    .action(async (words: string[]) => {
      for (const word of await suggestWords(program, words, terminal)) terminal.print(`${word}\n`);
    });
}
