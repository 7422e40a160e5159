import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import { canWriterDecide, isLarge, weighCommand } from '../../writes/command-weight.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { basisMoved } from '../preparing-turns.ts';
import { DomainOrder } from '../domain-order.ts';
import { CommitQueue } from './commit-queue.ts';
import { LargeWrites, type LargeWritesParts } from './large-writes.ts';
import { touchesMore, weighTouched } from './postgres-touched-rows.ts';
import type { PostgresWriter } from './postgres-writer.ts';
import type { ReadConnections } from './read-connections.ts';

/** The two ways of a command: with others in a batch, or by itself if it is large. */
export class PostgresWrites {
  private readonly commits: CommitQueue;
  private readonly large: LargeWrites;
  private readonly connections: ReadConnections;
  private readonly order = new DomainOrder();
  private isFinishing = false;

  /** @param connections count the rows that a command touches */
  constructor(writer: PostgresWriter, connections: ReadConnections, parts: LargeWritesParts) {
    this.commits = new CommitQueue({ writer, served: parts.served });
    this.large = new LargeWrites(parts);
    this.connections = connections;
  }

  /** Number of commands that are not answered yet. */
  get length(): number {
    return this.commits.length;
  }

  /** Commands that may be large keep their place before later ones of the domain. */
  decide(command: Command, getSignal: GetSignal | undefined): Promise<CommandResult<Command>> {
    const sent = weighCommand(command);
    const mayBeLarge = isLarge(sent) || touchesMore(command);
    return this.order.run(command, mayBeLarge && command.dryRun === undefined, () => {
      if (this.isFinishing) return Promise.reject(new StoreUnavailable('the store is closing or closed'));
      return mayBeLarge ? this.decideWeighed(command, getSignal) : this.commits.add(command, sent);
    });
  }

  /** Answers all commands, but those that wait for a large one. */
  async finish(): Promise<void> {
    this.isFinishing = true;
    await this.large.close();
    await this.commits.finish();
  }

  private async decideWeighed(
    command: Command,
    getSignal: GetSignal | undefined,
  ): Promise<CommandResult<Command>> {
    const weight = touchesMore(command)
      ? await weighTouched(this.connections, command)
      : weighCommand(command);
    const result = isLarge(weight) ? await this.large.run(command, getSignal) : undefined;
    if (result !== undefined) return result;
    if (!canWriterDecide(weight)) throw basisMoved();
    return await this.commits.add(command, weight);
  }
}
