import type { Command } from '../command-line/command.ts';
import { addConnectionOptions } from '../connection/connection.ts';
import { addDryRunOption } from '../plan/change-options.ts';
import { addConfirmOption } from '../plan/confirm.ts';
import { addResolverOption } from '../signing/resolver-option.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { sourcesHelp } from './open-source.ts';
import type { CopyOptions } from './run-copy.ts';

/** `zonewright copy`: copies zones from elsewhere. Shows a plan first and is safe to repeat. */
export function declareCopyCommand(command: Command, terminal: Terminal): void {
  addConfirmOption(addDryRunOption(addResolverOption(addConnectionOptions(command))))
    .requiredOption('--from <source>', 'where to copy from; see the list of sources below')
    .option('--domains <names>', 'only these: names separated by commas, or @file with one per line')
    .option('--replace', 'delete all records that the source does not have, also those that were made here')
    .option('--keep-deleted', 'keep records that an earlier copy brought and that are gone at the source')
    .option(
      '--earlier-source <text>',
      "another name of this source in the history, such as 'the nameserver 192.0.2.53:53'",
    )
    .option('--records', 'list all records that are created, updated or deleted')
    .option('--note <text>', 'reason, kept in the history (default: the source)')
    .option(
      '--from-key-file <file>',
      'file with the key of the source (default: ZONEWRIGHT_FROM_KEY; for Route 53 see below)',
    )
    .option('--from-url <url>', "another address of the provider's interface")
    .option(
      '--tsig <name:algorithm:file>',
      'TSIG key for axfr (default: ZONEWRIGHT_TSIG=name:algorithm:secret)',
    )
    .option('--names <file>', 'more names to query with dns, one per line')
    .addHelpText('after', help)
    .examples(
      'zonewright copy --from file:zones/ --dry-run',
      'zonewright copy --from axfr:ns1.old-provider.example --domains example.com,example.org \\\n' +
        '      --tsig transfer-key:hmac-sha256:tsig.secret',
      'ZONEWRIGHT_FROM_KEY=… zonewright copy --from service:https://dns.old-provider.example',
      'zonewright copy --from cloudflare --from-key-file cloudflare.token --domains @domains.txt',
      'zonewright copy --from digitalocean:exports/ --yes',
      'AWS_PROFILE=dns-reader zonewright copy --from route53 --domains example.com',
      'aws route53 list-resource-record-sets --hosted-zone-id Z123 > exports/example.com.json',
      'zonewright copy --from route53:exports/example.com.json',
      'zonewright copy --from dns:192.0.2.53 --domains example.com --names names.txt',
    )
    .action(async (options: CopyOptions) => {
      const { runCopy } = await import('./run-copy.ts');
      await runCopy(options, terminal);
    });
}

const help = `
${sourcesHelp}

Records that an earlier copy from this source brought, and that the source no longer has, are deleted; the plan lists
them. The history of the service knows them by the note of the copy. All other records that the source does not have
stay and are counted.

Each domain is copied completely or not at all. If a copy is interrupted (Ctrl-C, exit code 130) or some domains fail,
run the same command again: it leaves what is already copied as it is and copies the rest.

The key for Route 53 is an access key: the key file has the format of ~/.aws/credentials, which is also read by default.
In the environment it is AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if needed, AWS_SESSION_TOKEN.`;
