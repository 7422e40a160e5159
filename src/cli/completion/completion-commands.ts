import { Argument, type Command as AnyCommand } from 'commander';
import type { Command } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Each script asks the program itself for completions, so that they always match the installed version. The answer is one
 * word per line, followed by a tab and its description; or `:files`, a tab and the part of the word before the file name.
 */
const scripts: Readonly<Record<string, string>> = {
  // Bash also splits words at = and :, as in --scope=read and file:zones. The script joins them again for the question
  // and returns only the part of each answer after the last split.
  bash: `_zonewright() {
  local rest=\${COMP_LINE:0:COMP_POINT} blanks piece line word i
  local -a words=()
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    blanks=\${rest%%[![:space:]]*}
    rest=\${rest#"$blanks"}
    piece=\${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || piece=$rest
    rest=\${rest#"$piece"}
    if [[ -n $blanks || i -eq 0 ]]; then words[\${#words[@]}]=$piece; else words[\${#words[@]}-1]+=$piece; fi
  done
  word=\${words[\${#words[@]}-1]}
  piece=\${word##*[$COMP_WORDBREAKS]}
  while IFS= read -r line; do
    [[ $line == :files* ]] && return
    line=\${line%%$'\\t'*}
    COMPREPLY[\${#COMPREPLY[@]}]=\${line#"\${word%"$piece"}"}
  done < <(zonewright completion words -- "\${words[@]:1}" 2>/dev/null)
  compopt +o default 2>/dev/null
  [[ \${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _zonewright zonewright
`,
  zsh: `#compdef zonewright
_zonewright() {
  local line
  local -a found open
  for line in "\${(@f)$(zonewright completion words -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files*) compset -P "\${(b)line#*$'\\t'}"; _files; return ;;
      *:) open+=("$line") ;;
      *) found+=("\${line/$'\\t'/:}") ;;
    esac
  done
  compadd -S '' -a -- open
  _describe -V zonewright found
}
if [[ "\${funcstack[1]}" = _zonewright ]]; then _zonewright "$@"; else compdef _zonewright zonewright; fi
`,
  // Two rules need the answer, one after the other: the second reuses what the first received.
  fish: `function __zonewright_answer
  set -l line (commandline -cp)
  if test "$line" = "$__zonewright_line"
    set -e __zonewright_line
  else
    set -g __zonewright_line $line
    set -g __zonewright_found (zonewright completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  end
  string join \\n -- $__zonewright_found
end
complete -c zonewright -f -a '(__zonewright_answer | string match -v ":files*")'
complete -c zonewright -F -n '__zonewright_answer | string match -q ":files*"'
`,
};

const INSTALL_HELP = `
The shell must find the command by the name zonewright. To enable completion in the current shell:
  bash  source <(zonewright completion bash)
  zsh   source <(zonewright completion zsh)
  fish  zonewright completion fish | source

To enable it permanently:
  bash  echo 'source <(zonewright completion bash)' >> ~/.bashrc
  zsh   echo 'source <(zonewright completion zsh)' >> ~/.zshrc    (after its compinit)
  fish  mkdir -p ~/.config/fish/completions && zonewright completion fish > ~/.config/fish/completions/zonewright.fish`;

/** `zonewright completion …`: shell completion of commands, options, domains and profiles. */
export function declareCompletionCommands(group: Command, terminal: Terminal): void {
  group.addHelpText('after', INSTALL_HELP);
  const loading = {
    bash: 'source <(zonewright completion bash)',
    zsh: 'source <(zonewright completion zsh)',
    fish: 'zonewright completion fish | source',
  };
  for (const [shell, example] of Object.entries(loading)) {
    group
      .command(shell)
      .description(`print the completion script for ${shell}`)
      .examples(example)
      .action(() => terminal.print(scripts[shell] ?? ''));
  }

  group
    .command('words')
    .description('print completions of the last word; used by the scripts')
    .addArgument(new Argument('[words...]', 'the command line so far, after --'))
    .examples('zonewright completion words -- record li')
    .action(async (words: string[]) => {
      const { suggestWords } = await import('./suggest-words.ts');
      const { words: found, filesBehind } = await suggestWords(programOf(group), words, terminal);
      if (filesBehind !== undefined) terminal.print(`:files\t${filesBehind}\n`);
      for (const { word, description } of found)
        terminal.print(description === '' ? `${word}\n` : `${word}\t${description}\n`);
    });
}

function programOf(command: AnyCommand): AnyCommand {
  return command.parent === null ? command : programOf(command.parent);
}
