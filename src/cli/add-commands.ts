import type { Command } from './command-line/command.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Commands by name. Each is loaded only when it is used, so that starting the program stays fast. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

interface CommandEntry {
  readonly description: string;
  /** Loads the function that declares the command's options, arguments and subcommands. */
  readonly load: () => Promise<(command: Command, terminal: Terminal) => void>;
}

export function addCommands(program: Command, terminal: Terminal, table: CommandTable): void {
  for (const [name, { description, load }] of Object.entries(table)) {
    program.lazyCommand(name, description, async () => {
      const declare = await load();
      return (command) => {
        declare(command, terminal);
      };
    });
  }
}
