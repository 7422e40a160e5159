import type { ZoneKeyJson } from '../../contract/zone-key-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readInput } from '../input/open-input.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import { printList, printOne, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = ConnectionOptions & ChangeOptions;

interface AddOptions {
  readonly privateKey?: string | undefined;
  readonly dnskey?: string | undefined;
}

/** The service takes 8,192 characters. */
const MAX_KEY_FILE_BYTES = 64 * 1024;

const columns: Columns<ZoneKeyJson> = {
  id: ({ id }) => id,
  tag: ({ tag }) => String(tag),
  algorithm: ({ algorithm }) => String(algorithm),
  flags: ({ flags }) => String(flags),
  origin: ({ origin }) => origin,
  ds: ({ ds }) => ds ?? '-',
  announced: ({ announced }) => (announced ? 'yes' : 'no'),
};

/** `zonewright domain dnssec key …`: the keys of a signed domain, and those that come from elsewhere. */
export function addDnssecKeyCommands(dnssec: Command, terminal: Terminal): void {
  const group = dnssec
    .command('key')
    .description('list the keys of a signed domain, bring one along, or publish those of another provider');

  addConnectionOptions(group.command('list'))
    .description('list the keys of a domain, without their private parts; none if it is not signed')
    .argument('<domain>', 'name of the domain')
    .examples('zonewright domain dnssec key list example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      const keys = await connect(options, terminal).domains.zoneKeys(domain);
      await printList(terminal, columns, keys, options);
    });

  addChangeOptions(addConnectionOptions(group.command('add')))
    .description('sign a domain with the key that it has elsewhere, or publish a key of another provider')
    .argument('<domain>', 'name of the domain')
    .option('--private-key <file>', 'file of BIND or Knot, or PEM; - reads stdin')
    .option('--dnskey <data>', 'DNSKEY data of the other provider, such as "257 3 13 mdss…"')
    .examples(
      'zonewright domain dnssec key add example.com --private-key Kexample.com.+013+27933.private',
      'zonewright domain dnssec key add example.com --dnskey "257 3 13 mdsswUyr3DPW…"',
    )
    .action(async (domain: string, { privateKey, dnskey, ...options }: Options & AddOptions) => {
      const { domains } = connect(options, terminal);
      const key = await readKey({ privateKey, dnskey }, terminal);
      const added = await writeOrShow(terminal, options, (write) => domains.addZoneKey(domain, key, write));
      if (added === undefined) return;
      printOne(terminal, columns, added.value, options);
      say(terminal, describeNextStep(domain, added.value));
    });

  addAnnouncingCommands(group, terminal);

  addChangeOptions(addConnectionOptions(group.command('remove')))
    .description('remove a key of another provider, after its DS record is gone from the parent zone')
    .argument('<domain>', 'name of the domain')
    .argument('<id>', 'id of the key, as shown by key list')
    .examples('zonewright domain dnssec key remove example.com 0193489f-8a3b-7abc-8def-0123456789ab')
    .action(async (domain: string, id: string, options: Options) => {
      const { domains } = connect(options, terminal);
      await writeOrShow(terminal, options, (write) => domains.removeZoneKey(domain, id, write));
    });
}

function addAnnouncingCommands(group: Command, terminal: Terminal): void {
  const add = (name: 'announce' | 'withdraw', description: string): void => {
    addChangeOptions(addConnectionOptions(group.command(name)))
      .description(description)
      .argument('<domain>', 'name of the domain')
      .argument('<id>', 'id of the key, as shown by key list')
      .examples(`zonewright domain dnssec key ${name} example.com 0193489f-8a3b-7abc-8def-0123456789ab`)
      .action(async (domain: string, id: string, options: Options) => {
        const { domains } = connect(options, terminal);
        const done = await writeOrShow(terminal, options, (write) =>
          domains.announceZoneKey(domain, id, name === 'announce', write),
        );
        if (done !== undefined) {
          say(
            terminal,
            `Next step: zonewright domain dnssec status ${domain} says what the parent zone needs`,
          );
        }
      });
  };
  add('announce', 'have CDS and CDNSKEY ask the parent zone for the DS record of a key');
  add('withdraw', 'no longer ask the parent zone for the DS record of a key, which stays published');
}

async function readKey(
  { privateKey, dnskey }: AddOptions,
  terminal: Terminal,
): Promise<{ readonly private_key: string } | { readonly dnskey: string }> {
  if (privateKey !== undefined && dnskey === undefined) {
    return { private_key: await readInput(privateKey, terminal, MAX_KEY_FILE_BYTES) };
  }
  if (dnskey !== undefined && privateKey === undefined) return { dnskey };
  throw new CommandFailure(exitCodes.usage, 'key add needs either --private-key or --dnskey');
}

function describeNextStep(domain: string, { tag, origin, ds }: ZoneKeyJson): string {
  if (origin === 'imported') {
    return (
      `${domain} is signed with the key ${tag}. Next step: zonewright domain dnssec status ${domain} compares it with the DS ` +
      `record of the parent zone, which has to be ${ds}; if they differ, do not change the delegation`
    );
  }
  return (
    `The key ${tag} is published beside that of ${domain}. Next step: have the other provider publish the DNSKEY records of ` +
    `this side, too (zonewright domain dnssec show ${domain})`
  );
}
