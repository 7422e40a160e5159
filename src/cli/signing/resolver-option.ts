import type { Command } from '../command-line/command.ts';

export interface ResolverOptions {
  readonly resolver?: string;
}

export function addResolverOption(command: Command): Command {
  return command.option(
    '--resolver <server>',
    "resolver to ask for DS records at the parent zone; none: do not ask (default: ZONEWRIGHT_RESOLVER, then the system's)",
  );
}
