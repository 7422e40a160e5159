import { Option } from 'commander';
import type { NewMemberRole } from '../../client/users-client.ts';
import type { Command } from '../command-line/command.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';

export const roleNames = ['owner', 'editor', 'viewer'] as const;

export type RoleName = (typeof roleNames)[number];

export interface DomainOption {
  readonly domain?: readonly string[];
}

export function addDomainOption(command: Command): Command {
  return command.option('--domain <domain...>', 'only in these domains (editor and viewer)');
}

export function addRoleOption(command: Command): Command {
  return addDomainOption(
    command.addOption(
      new Option('--role <role>', 'owner: everything; editor: domains and records; viewer: reads them')
        .choices(roleNames)
        .makeOptionMandatory(),
    ),
  );
}

/** @throws CommandFailure if an owner is limited to domains */
export function roleFrom(role: RoleName, { domain: domains }: DomainOption): NewMemberRole {
  if (domains === undefined || domains.length === 0) return { role };
  if (role === 'owner')
    throw new CommandFailure(exitCodes.usage, 'an owner cannot be limited to domains; use editor or viewer');
  return { grants: [{ role, domains: [...domains] }] };
}
