// Completion in real shells: bash and zsh on a terminal with typed keys, and fish with a request for its candidates.
// Each completed line is passed to a function that prints it instead of being run.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectEqual } from '../expect.ts';
import { cleanEnvironment, runProgram } from '../run-program.ts';
import type { Bench, Suite } from '../suite.ts';

const launcher = fileURLToPath(new URL('../../../bin/zonewright.js', import.meta.url));

/** The line, the incomplete word, and the word that Tab makes of it. */
type Row = readonly [line: string, begun: string, word: string];

const rows: readonly Row[] = [
  ['zonewright', 'dom', 'domain'],
  ['zonewright record', 'ba', 'batch'],
  ['zonewright record list x.example', '--data-p', '--data-prefix'],
  ['zonewright key create --scope', 'r', 'read'],
  ['zonewright key create', '--scope=r', '--scope=read'],
  ['zonewright record create x.example www', 'SSH', 'SSHFP'],
  ['zonewright domain show --profile', 'my', 'my-profile'],
  ['zonewright changes --profile my-profile', 'two-h', 'two-hyphens.example'],
  ['zonewright check --url http://127.0.0.1:9 --url URL', 'two-h', 'two-hyphens.example'],
  ['zonewright copy --from', 'rou', 'route53:'],
  ['zonewright copy --from', 'file:my', 'file:my-zone.txt'],
  ['zonewright zonefile import x.example', 'my', 'my-zone.txt'],
  ['zonewright zonefile import x.example', '~/my', '~/my-zone.txt'],
  ['zonewright profile set x', '--key-file=with', '--key-file=with blank.txt'],
];

export const shellsSuite: Suite = {
  name: 'shells',
  run: async (runCase, bench) => {
    const shell = await prepare(bench);
    await runCase('bash', () => checkTerminal(shell, 'bash --norc --noprofile -i', []));
    await runCase('zsh', () => checkTerminal(shell, 'zsh -f -i', ['autoload -Uz compinit; compinit -u -D']));
    await runCase('fish', () => checkFish(shell));
  },
};

interface Shell {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The rows, including the service's address. */
  readonly rows: readonly Row[];
}

/** A home folder with the command, a profile and files, and a domain to complete. */
async function prepare({ api, service, folder }: Bench): Promise<Shell> {
  const home = join(folder, 'home');
  const url = `http://127.0.0.1:${service.httpPort}`;
  mkdirSync(join(home, 'bin'), { recursive: true });
  symlinkSync(launcher, join(home, 'bin', 'zonewright'));
  for (const name of ['my-zone.txt', 'with blank.txt']) writeFileSync(join(home, name), '');
  const { PATH = '', ...environment } = cleanEnvironment();
  const env = {
    ...environment,
    ...{ PATH: `${join(home, 'bin')}:${PATH}`, HOME: home, TERM: 'xterm', ZONEWRIGHT_KEY: service.key },
  };
  await api.mustSend('POST', '/v2/domains', { domain: 'two-hyphens.example' });
  const set = ['profile', 'set', 'my-profile', '--url', url, '--key', service.key];
  const { code, stderr } = await runProgram(launcher, set, { env });
  expectEqual([code, stderr], [0, ''], 'zonewright profile set');
  const named = rows.map(([line, ...words]): Row => [line.replace('URL', url), ...words]);
  return { env, cwd: home, rows: named };
}

/**
 * A function that prints the line after it instead of running it: Tab completes the line, then Control-A inserts the
 * function's name.
 */
const SAID = 'said() { printf \'=> %s\\n\' "$*"; }';
const completeAndSay = '\t\u0001said \n';

/** `script` gives the shell a terminal; the shell reads the keys when it is ready. */
async function checkTerminal(shell: Shell, command: string, setUp: readonly string[]): Promise<string> {
  const [name = ''] = command.split(' ');
  const lines = [...setUp, `source <(zonewright completion ${name})`, SAID].map((line) => `${line}\n`);
  const typed = shell.rows.map(([line, begun]) => `${line} ${begun}${completeAndSay}`);
  const { stdout } = await runProgram('script', ['-qec', command, '/dev/null'], {
    ...shell,
    stdin: [...lines, ...typed, 'exit\n'].join(''),
  });
  const said = stdout.split(/[\r\n]+/).filter((line) => line.startsWith('=> '));
  return compare(
    said,
    shell.rows.map(([line, , word]) => `=> ${line} ${word.replace(/^~/, shell.cwd)}`),
  );
}

/** fish prints candidates: whole words, each followed by a tab and its description. */
async function checkFish({ rows: lines, ...shell }: Shell): Promise<string> {
  const ask = 'zonewright completion fish | source\nfor line in $argv; echo "=> "(complete -C $line); end';
  const typed = lines.map(([line, begun]) => `${line} ${begun}`);
  const { stdout } = await runProgram('fish', ['--no-config', '-c', ask, ...typed], shell);
  const candidates = stdout.trimEnd().split('\n');
  return compare(
    candidates.map((line) => line.split('\t')[0]),
    lines.map(([, , word]) => `=> ${word}`),
  );
}

/** Reports only the first line that differs. */
function compare(seen: readonly (string | undefined)[], wanted: readonly string[]): string {
  wanted.forEach((line, index) => expectEqual(seen[index], line, `line ${index + 1}`));
  expectEqual(seen.length, wanted.length, 'lines');
  return `${wanted.length} lines completed`;
}
