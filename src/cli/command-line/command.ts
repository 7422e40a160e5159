import { Command as CommanderCommand } from 'commander';

/** A command of ours. */
export class Command extends CommanderCommand {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** The end of its help: command lines that can be typed as they stand. */
  examples(...lines: readonly string[]): this {
    const title = lines.length === 1 ? 'Example' : 'Examples';
    return this.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }
}
