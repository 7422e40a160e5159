import { createServer, type AddressInfo } from 'node:net';
import type { Command as AnyCommand } from 'commander';
import { expect, test } from 'vitest';
import { Command } from '../cli/command-line/command.ts';
import { runCommandLine } from '../cli/run-command-line.ts';
import { textTerminal, type TextTerminalOptions } from '../cli/terminal/text-terminal.test-support.ts';
import { createZonewrightProgram } from './zonewright-program.ts';

async function run(words: readonly string[], options: TextTerminalOptions = {}) {
  const terminal = textTerminal(options);
  const exitCode = await runCommandLine(createZonewrightProgram(terminal), words, terminal);
  const { stdout, stderr } = terminal;
  return { exitCode, stdout, stderr };
}

/** Calls back with each command that has no subcommands. */
async function forEachLeaf(
  command: AnyCommand,
  use: (leaf: AnyCommand, path: string) => void,
  path: readonly string[] = [],
): Promise<void> {
  if (command instanceof Command) await command.complete();
  if (command.commands.length === 0) use(command, path.join(' '));
  for (const child of command.commands) await forEachLeaf(child, use, [...path, child.name()]);
}

const commands: string[] = [];
await forEachLeaf(createZonewrightProgram(textTerminal()), (_, path) => commands.push(path));

test('all commands are there', () => {
  expect([...commands].sort()).toEqual([
    'account create',
    'account delete',
    'account export',
    'account limits',
    'account list',
    'account restore',
    'account resume',
    'account set-limits',
    'account show',
    'account suspend',
    'backup',
    'changes',
    'check',
    'completion bash',
    'completion fish',
    'completion words',
    'completion zsh',
    'config',
    'copy',
    'dnssec reseal',
    'domain create',
    'domain delegation',
    'domain delete',
    'domain dnssec cancel',
    'domain dnssec denial',
    'domain dnssec hold',
    'domain dnssec key add',
    'domain dnssec key announce',
    'domain dnssec key list',
    'domain dnssec key remove',
    'domain dnssec key withdraw',
    'domain dnssec off',
    'domain dnssec on',
    'domain dnssec publish',
    'domain dnssec resume',
    'domain dnssec roll',
    'domain dnssec seen',
    'domain dnssec show',
    'domain dnssec status',
    'domain list',
    'domain nameservers list',
    'domain nameservers set',
    'domain propagation',
    'domain restore',
    'domain show',
    'domain soa',
    'domain verify',
    'domain wait',
    'explain',
    'key create',
    'key list',
    'key revoke',
    'key rotate',
    'move',
    'profile list',
    'profile remove',
    'profile set',
    'record batch',
    'record create',
    'record delete',
    'record export',
    'record list',
    'record rename',
    'record replace',
    'record search',
    'record set',
    'record show',
    'record ttl',
    'record types',
    'record update',
    'recover-key',
    'recover-user',
    'restore',
    'revert',
    'serve',
    'trail',
    'user invitations',
    'user invite',
    'user join',
    'user list',
    'user recover',
    'user remove',
    'user revoke-invitation',
    'user set-role',
    'user show',
    'verify',
    'zonefile diff',
    'zonefile export',
    'zonefile import',
  ]);
});

test.each(commands)('%s --help shows an example', async (name) => {
  const { exitCode, stdout, stderr } = await run([...name.split(' '), '--help']);
  expect(stdout).toMatch(new RegExp(`\\nExamples?:\\n  \\$ .*zonewright ${name}`));
  expect([exitCode, stderr]).toEqual([0, '']);
});

test.each(commands)('the examples of %s can be typed as they are', async (name) => {
  const { stdout } = await run([...name.split(' '), '--help']);
  const examples = commandLines(stdout);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const complaints: string[] = [];
    const program = createZonewrightProgram({
      ...textTerminal(),
      complain: (text) => complaints.push(text),
    });
    const ran: string[] = [];
    await forEachLeaf(program, (leaf, path) => void leaf.action(() => void ran.push(path)));
    await program.parseAsync(example, { from: 'user' }).catch(() => undefined);
    expect([complaints, ran], example.join(' ')).toEqual([[], [name]]);
  }
});

/** The words after `zonewright` in each example of a help text, as a shell would pass them. */
function commandLines(help: string): string[][] {
  const examples = help.slice(help.search(/\nExamples?:\n/)).replaceAll(/\\\n\s+/g, '');
  return [...examples.matchAll(/\bzonewright ((?:"[^"]*"|[^\s"|>)&]+| +(?![|>&]))*)/g)].map(([, line = '']) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted = '', bare = '']) => quoted + bare),
  );
}

test('--version prints the version of the package', async () => {
  const { exitCode, stdout } = await run(['--version']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('--help of the program lists the exit codes', async () => {
  const { exitCode, stdout } = await run(['--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('6 the server cannot be reached');
});

test.each([
  [['help'], ['--help']],
  [
    ['help', 'record', 'create'],
    ['record', 'create', '--help'],
  ],
  [
    ['help', 'record', 'create', 'example.com'],
    ['record', 'create', '--help'],
  ],
])('%j prints the same as %j', async (words, same) => {
  const help = await run(words);
  expect(help).toEqual(await run(same));
  expect(help.exitCode).toBe(0);
});

test.each([
  [['srve'], "zonewright: unknown command 'srve' (Did you mean serve?)\n"],
  [['help', 'nosuch'], "zonewright: unknown command 'nosuch'\n"],
  [['help', 'record', 'nosuch'], "zonewright: unknown command 'nosuch'\n"],
  [['domain', 'kreate'], "zonewright: unknown command 'kreate' (Did you mean create?)\n"],
  [['serve', '--htpp', 'x'], "zonewright: unknown option '--htpp' (Did you mean --http?)\n"],
  [['serve', 'now'], "zonewright: too many arguments for 'serve'. Expected 0 arguments but got 1.\n"],
  [['record', 'list'], "zonewright: missing required argument 'domain'\n"],
  [
    ['record', 'create', 'example.com', 'www', 'A', '192.0.2.1', '--ttl', '5x'],
    /^zonewright: option '--ttl <time>' argument '5x' is invalid\. /,
  ],
  [
    ['domain', 'wait', 'example.com', '--timeout', 'long'],
    /^zonewright: option '--timeout <seconds>' argument 'long' is invalid\. /,
  ],
  [['config', '--workers', '0'], 'zonewright: --workers: "0" is not a whole number from 1 to 64\n'],
  [['config', '--log', 'info', '--log', 'warn'], 'zonewright: --log is given 2 times\n'],
  [
    ['domain', 'list', '--url', 'localhost:8080', '--key', 'x'],
    /^zonewright: "localhost:8080" is not a URL, /,
  ],
])('%j is refused with one line and exit code 2', async (words, sentence) => {
  const { exitCode, stdout, stderr } = await run(words);
  if (typeof sentence === 'string') expect(stderr).toBe(sentence);
  else expect(stderr).toMatch(sentence);
  expect(stderr.split('\n')).toHaveLength(2);
  expect([exitCode, stdout]).toEqual([2, '']);
});

test('a command that needs another word shows its help and exits with 2', async () => {
  for (const words of [[], ['key']]) {
    const { exitCode, stderr } = await run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Usage: zonewright/);
  }
});

test('config prints each value and where it came from', async () => {
  const words = ['config', '--rate-limit', '50', '--allow-public-suffixes', 'yes'];
  const environment = { ZONEWRIGHT_LOG: 'debug' };
  const person = await run(words, { environment, isInteractive: true });
  expect(person.stdout).toMatch(/^SETTING +VALUE +FROM\nhttp +127\.0\.0\.1:8080 +default\n/);
  const programme = await run(words, { environment });
  expect(programme.stdout).toContain('rate_limit\t50\t--rate-limit\n');
  expect(programme.stdout).toContain('allow_public_suffixes\tyes\t--allow-public-suffixes\n');
  expect(programme.stdout).toContain('log\tdebug\tZONEWRIGHT_LOG\n');
  const json = await run([...words, '--json'], { environment });
  expect(JSON.parse(json.stdout)).toMatchObject({
    log: { value: 'debug', source: 'environment', from: 'ZONEWRIGHT_LOG' },
    txt_limit: { value: '4096', source: 'default', from: 'default' },
  });
});

test.each(['COOKIE_SECRET', 'DNSSEC_SECRET'])(
  'config never prints the value of ZONEWRIGHT_%s',
  async (name) => {
    const secret = '0123456789abcdef0123456789abcdef';
    for (const words of [['config'], ['config', '--json']]) {
      const { stdout } = await run(words, { environment: { [`ZONEWRIGHT_${name}`]: secret } });
      expect(stdout).toMatch(new RegExp(`"?${name.toLowerCase()}"?[^]{1,20}\\*\\*\\*`));
      expect(stdout).not.toContain(secret.slice(0, 8));
    }
  },
);

test.each(['geheim', 'ge heim', 'ge:heim', 'ge@heim', 'ge%2Fheim'])(
  'config never prints the password %j of the database',
  async (password) => {
    const environment = {
      ZONEWRIGHT_DATABASE: `postgres://zw:${password}@db1,db2:5433/zones?sslmode=require`,
    };
    for (const words of [['config'], ['config', '--json']]) {
      const { stdout } = await run(words, { environment });
      expect(stdout).toContain('postgres://zw:***@db1,db2:5433/zones?sslmode=require');
      expect(stdout).not.toContain('heim');
    }
  },
);

test('record types lists what customers can write, from the declarations of the types', async () => {
  const { stdout } = await run(['record', 'types']);
  const rows = stdout.split('\n').map((line) => line.split('\t'));
  expect(rows.find(([type]) => type === 'MX')).toEqual([
    'MX',
    expect.any(String),
    expect.stringContaining('RFC 1035'),
    expect.any(String),
  ]);
  expect(stdout).not.toMatch(/^SOA\t/m);
  const json = JSON.parse((await run(['record', 'types', '--json'])).stdout) as object[];
  expect(json).toContainEqual(expect.objectContaining({ type: 'TXT', number: 16 }));
});

test('without any key the commands say where one could come from, and exit with 5', async () => {
  const { exitCode, stderr } = await run(['domain', 'list'], {
    environment: { ZONEWRIGHT_DATA: '/nowhere' },
  });
  expect(stderr).toBe(
    'zonewright: no API key: use --key, set ZONEWRIGHT_KEY, or make /nowhere/admin.key readable (ENOENT)\n',
  );
  expect(exitCode).toBe(5);
});

test('a server that is not there is named, and the exit code is 6', async () => {
  const url = `http://127.0.0.1:${await unusedPort()}`;
  const { exitCode, stderr } = await run(['domain', 'list', '--key', 'zw_x', '--url', `${url}/v2/`]);
  expect(stderr).toBe(`zonewright: ${url} cannot be reached: nothing listens there\n`);
  expect(exitCode).toBe(6);
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
