import { Command as CommanderCommand } from 'commander';

/** Adds options, arguments and subcommands to a command. */
export type Declaration = (command: Command) => void;

/** A commander command with examples in its help. Its declaration can be loaded when the command is first used. */
export class Command extends CommanderCommand {
  private load: (() => Promise<Declaration>) | undefined;

  constructor(name?: string) {
    super(name);
    this.hook('preSubcommand', (_, command) => (command instanceof Command ? command.complete() : undefined));
  }

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Adds a subcommand of which only the name and the description are known until it is used. */
  lazyCommand(name: string, description: string, load: () => Promise<Declaration>): this {
    this.command(name).description(description).load = load;
    return this;
  }

  /** Loads the declaration of a lazy command. Does nothing for other commands or the second time. */
  async complete(): Promise<void> {
    const { load } = this;
    this.load = undefined;
    (await load?.())?.(this);
  }

  /** Ends the help with command lines that can be typed as they are. */
  examples(...lines: readonly string[]): this {
    const title = lines.length === 1 ? 'Example' : 'Examples';
    return this.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }
}
