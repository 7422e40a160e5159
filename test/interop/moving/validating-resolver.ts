// A validating resolver with a cache: Unbound, which trusts the key of a parent zone and is told where the zones are.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../harness/free-port.ts';
import { readDigOutput, type DigAnswer } from '../dig.ts';
import { runProgram, startProgram, stopProgram } from '../run-program.ts';

const STOP_GRACE_MS = 5000;
const START_TIMEOUT_MS = 30_000;

/** The strictest settings: a failure is not repaired by asking again, and every algorithm of the DS set has to sign. */
export const strict = [
  'harden-algo-downgrade: yes',
  'val-max-restart: 0',
  'aggressive-nsec: yes',
  'val-log-level: 2',
];

export interface ValidatingResolver {
  readonly address: string;
  /** The status of each answer, with ` ad` if it was validated: `NOERROR ad`. */
  ask(...questions: readonly (readonly [name: string, type: string])[]): Promise<readonly string[]>;
  /** The whole answers, asked one after the other. */
  lookUp(questions: readonly (readonly [name: string, type: string])[]): Promise<readonly DigAnswer[]>;
  /** The addresses of a name, sorted. */
  addressesOf(name: string): Promise<readonly string[]>;
  /** Sends questions for a zone elsewhere from now on, as a new delegation does. The cache stays. */
  redirect(zone: string, address: string): Promise<void>;
  /** Forgets everything about a zone. */
  flush(zone: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ResolverPlan {
  /** Empty; its path is short enough for a Unix socket. */
  readonly folder: string;
  readonly anchorFile: string;
  /** The addresses of the nameservers of each zone, `host:port`; or that of the resolver that is asked about all zones. */
  readonly zones: Readonly<Record<string, readonly string[]>> | { readonly forwarder: string };
  /** More lines for the `server` clause. */
  readonly settings?: readonly string[];
  /** False: it passes all answers on unchecked, with their signatures. True if absent. */
  readonly validates?: boolean;
  /** Its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startValidatingResolver({
  folder,
  anchorFile,
  zones,
  settings = [],
  validates = true,
  env,
}: ResolverPlan): Promise<ValidatingResolver> {
  const port = await freePort();
  const file = join(folder, 'unbound.conf');
  const lines = [
    'server:',
    `  interface: 127.0.0.1@${port}`,
    `  directory: "${folder}"`,
    '  chroot: ""',
    '  username: ""',
    '  pidfile: ""',
    '  use-syslog: no',
    '  do-daemonize: no',
    '  do-ip6: no',
    '  do-not-query-localhost: no',
    `  module-config: "${validates ? 'validator iterator' : 'iterator'}"`,
    ...(validates ? [`  trust-anchor-file: "${anchorFile}"`] : []),
    ...settings.map((line) => `  ${line}`),
    'remote-control:',
    '  control-enable: yes',
    `  control-interface: "${folder}/control"`,
    '  control-use-cert: no',
    ...formatZones(zones),
    '',
  ];
  writeFileSync(file, lines.join('\n'));
  const child = startProgram('/usr/sbin/unbound', ['-d', '-c', file], {
    cwd: folder,
    ...(env !== undefined && { env }),
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
  const control = async (...command: string[]): Promise<void> => {
    const words = ['-c', file, ...command];
    const { code, stdout, stderr } = await runProgram('unbound-control', words);
    if (code !== 0) throw new Error(`unbound-control ${words.join(' ')}: ${stdout}${stderr}`);
  };
  const resolver: ValidatingResolver = {
    address: `127.0.0.1:${port}`,
    async ask(...questions) {
      const asked = questions.flatMap(([name, type]) => ['+dnssec', '+time=20', '+tries=1', name, type]);
      const { stdout } = await runProgram('dig', ['-r', '@127.0.0.1', '-p', `${port}`, ...asked]);
      const found = stdout.matchAll(/status: (\w+).*\n;; flags: ([a-z ]*);/g);
      return [...found].map(
        ([, status, flags]) => `${status}${flags.split(' ').includes('ad') ? ' ad' : ''}`,
      );
    },
    async addressesOf(name) {
      const asked = ['+short', '+time=20', '+tries=1', name, 'A'];
      const { stdout } = await runProgram('dig', ['-r', '@127.0.0.1', '-p', `${port}`, ...asked]);
      return stdout.trim().split('\n').sort();
    },
    async lookUp(questions) {
      const usual = ['-r', '@127.0.0.1', '-p', `${port}`, '+dnssec', '+nosplit', '+time=20', '+tries=1'];
      const { stdout } = await runProgram('dig', [...usual, ...questions.flat()]);
      const answers = stdout.split(';; Got answer:').slice(1);
      if (answers.length !== questions.length) throw new Error(`a question was not answered:\n${stdout}`);
      return answers.map(readDigOutput);
    },
    redirect: (zone, address) => control('stub_add', zone, address.replace(':', '@')),
    flush: (zone) => control('flush_zone', zone),
    async stop() {
      await stopProgram(child, STOP_GRACE_MS);
    },
  };
  const deadline = performance.now() + START_TIMEOUT_MS;
  while ((await resolver.ask(['localhost', 'A'])).length === 0) {
    if (child.exitCode === null && performance.now() < deadline) continue;
    await resolver.stop();
    throw new Error(`unbound does not answer:\n${log.slice(-4000)}`);
  }
  return resolver;
}

function formatZones(zones: ResolverPlan['zones']): string[] {
  if (isForwarder(zones))
    return ['forward-zone:', '  name: "."', `  forward-addr: ${zones.forwarder.replace(':', '@')}`];
  return Object.entries(zones).flatMap(([zone, addresses]) => [
    'stub-zone:',
    `  name: "${zone}"`,
    ...addresses.map((address) => `  stub-addr: ${address.replace(':', '@')}`),
  ]);
}

function isForwarder(zones: ResolverPlan['zones']): zones is { readonly forwarder: string } {
  return typeof zones.forwarder === 'string';
}
