import type { Command } from '../command-line/command.ts';

export interface ResolverOptions {
  readonly resolver?: string;
}

export function addResolverOption(command: Command): Command {
  return command.option(
    '--resolver <addresses>',
    "resolvers that find the parent zone and its DS records; none: do not ask (default: ZONEWRIGHT_RESOLVERS, then the system's)",
  );
}
