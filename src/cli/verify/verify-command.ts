import type { Command } from '../command-line/command.ts';
import { addConnectionOptions } from '../connection/connection.ts';
import { addResolverOption } from '../signing/resolver-option.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { VerifyOptions } from './verify-domains.ts';

/** `zonewright verify`: checks that two nameservers give the same answers. */
export function declareVerifyCommand(command: Command, terminal: Terminal): void {
  addResolverOption(addConnectionOptions(command))
    .argument('<domain...>', 'domains that the service has')
    .requiredOption('--against <server>', 'the other nameserver: host name or address, with :port if not 53')
    .option('--server <server>', "the nameserver here (default: the first of the domain's own NS records)")
    .option('--names <file>', 'more names to query, one per line, relative to the domain')
    .option('--axfr', 'also query the names found in a zone transfer from the other nameserver')
    .option(
      '--tsig <name:algorithm:file>',
      'TSIG key for --axfr (default: ZONEWRIGHT_TSIG=name:algorithm:secret)',
    )
    .option('--ttl', 'also compare TTLs')
    .option('--strict', "also count the domain's own NS and SOA records")
    .addHelpText('after', HELP)
    .examples(
      'zonewright verify example.com --against ns.old-provider.example',
      'zonewright verify example.com --against 192.0.2.53 --server 127.0.0.1:5300 --ttl',
      'zonewright verify example.com example.org --against ns.old-provider.example --axfr \\\n      --tsig transfer-key:hmac-sha256:tsig.secret',
    )
    .action(async (domains: string[], options: VerifyOptions) => {
      const { verifyDomains } = await import('./verify-domains.ts');
      await verifyDomains(domains, options, terminal);
    });
}

const HELP = `
Exits with 0 if there are no differences, with 9 if there are some, and with 10 if there are none but the parent zone has
a DS record for a domain that is not signed here, or resolvers still expect signatures, or that is not known: they
would then answer SERVFAIL.`;
