import { Option } from 'commander';
import type { KeyTemplate } from '../../contract/key-shape.ts';
import type { Command } from '../command-line/command.ts';

/** The options that limit a key. */
export interface RightsOptions {
  readonly template?: KeyTemplate;
  readonly host?: string;
  readonly may?: readonly string[];
  readonly domain?: readonly string[];
  readonly name?: readonly string[];
  readonly type?: readonly string[];
  readonly network?: readonly string[];
  readonly expires?: string;
}

export function addRightsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--template <template>', 'ready-made rights').choices([
        'certificates',
        'address',
        'metrics',
      ]),
    )
    .option('--host <name>', 'the host that the template is for')
    .option(
      '--may <permission...>',
      'what the key may do, such as records:create; it then may do nothing else',
    )
    .option('--domain <domain...>', 'only in these domains')
    .option('--name <name...>', 'only records with these names, such as _acme-challenge or **.dyn')
    .option('--type <type...>', 'only records of these types')
    .option('--network <network...>', 'only from these addresses or networks')
    .option('--expires <date>', 'refuse the key from then on');
}

/** The members of the request. The service checks them. */
export function rightsFrom({ template, host, may, domain, name, type, network, expires }: RightsOptions) {
  const grant = { may: may ?? [], domains: domain, names: name, types: type };
  const isLimited = Object.values(grant).some((limit) => limit !== undefined && limit.length > 0);
  return {
    template,
    host,
    rights: isLimited ? [grant] : undefined,
    networks: network,
    date_expires: expires,
  };
}
