import { resolve } from 'node:path';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { parseTtl } from '../command-line/parse-ttl.ts';
import { checkKey, checkServiceUrl } from '../connection/connection.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { printList, type Columns } from '../terminal/print-list.ts';
import {
  getProfile,
  profilesPath,
  readProfiles,
  writeProfiles,
  type Profile,
} from '../connection/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ListedProfile {
  readonly name: string;
  readonly url: string;
  /** The place of the key, never the key itself. */
  readonly key: string;
}

const columns: Columns<ListedProfile> = {
  name: ({ name }) => name,
  url: ({ url }) => url,
  key: ({ key }) => key,
};

interface SetOptions {
  readonly url: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly ttl?: number;
}

/** `zonewright profile …`: named services, for `--profile`. */
export function declareProfileCommands(group: Command, terminal: Terminal): void {
  const { environment } = terminal;

  addOutputOptions(group.command('list'))
    .description('list profiles without their keys')
    .examples('zonewright profile list')
    .action(async (options: OutputOptions) => {
      const profiles = [...readProfiles(environment)].map(([name, profile]) => describe(name, profile));
      await printList(terminal, columns, profiles, options);
    });

  group
    .command('set')
    .description('create or replace a profile in profiles.toml, which only you can read')
    .argument('<profile>', 'name for --profile')
    .requiredOption('--url <url>', 'address of the service')
    .option('--key <key>', 'API key, visible to other users of this machine')
    .option('--key-file <file>', 'file that contains the API key, instead of --key')
    .option('--ttl <time>', 'time to live of records that are created without one, such as 1h', parseTtl)
    .examples('zonewright profile set work --url https://dns.example.net --key-file ~/work.key')
    .action((name: string, options: SetOptions) => {
      const profiles = new Map(readProfiles(environment)).set(checkName(name), profileOf(options));
      writeProfiles(environment, profiles);
    });

  group
    .command('remove')
    .description('remove a profile')
    .argument('<profile>', 'name, as shown by profile list')
    .examples('zonewright profile remove work')
    .action((name: string) => {
      getProfile(environment, name);
      const profiles = new Map(readProfiles(environment));
      profiles.delete(name);
      writeProfiles(environment, profiles);
    });

  group.addHelpText('after', `\nProfiles are stored in ${profilesPath(environment)}.`);
}

function describe(name: string, { url, key }: Profile): ListedProfile {
  return { name, url, key: 'file' in key ? key.file : 'in profiles.toml' };
}

function profileOf({ url, key, keyFile, ttl }: SetOptions): Profile {
  if ((key === undefined) === (keyFile === undefined)) {
    throw new CommandFailure(exitCodes.usage, 'a profile needs either --key or --key-file');
  }
  const where = keyFile === undefined ? { text: checkKey(key ?? '', '--key') } : { file: resolve(keyFile) };
  return { url: checkServiceUrl(url), key: where, ttl };
}

function checkName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw new CommandFailure(
    exitCodes.usage,
    `${JSON.stringify(name)} is not a valid name: use letters, digits, . _ and -`,
  );
}
