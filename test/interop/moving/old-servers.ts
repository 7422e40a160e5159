// The nameservers that domains are moved from: BIND, Knot and PowerDNS on loopback ports, which allow zone transfers. Each
// serves one zone from a file, signed or not. Those that sign do it with a key of their own, by a policy of short times.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../harness/free-port.ts';
import { runProgram, startProgram, stopProgram } from '../run-program.ts';

const START_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 5000;

export interface OldServerKind {
  readonly name: string;
  readonly command: string;
  /** Writes the configuration; returns the arguments. @param zoneFile of the zone, which is signed if the server does not sign */
  configure(place: Place): Promise<readonly string[]>;
  /** Whether it signs the zone itself. */
  readonly signs: boolean;
}

interface Place {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** Without the final dot. */
  readonly zone: string;
  readonly zoneFile: string;
  readonly isSigned: boolean;
}

/**
 * The TTL of the keys of servers that sign by a policy: a resolver that has them expects signatures for so long. It is
 * longer than everything else in the test takes, so that the keys outlive the DS record.
 */
export const POLICY_KEY_TTL_SECONDS = 30;

const BIND_POLICY = `dnssec-policy "short" { keys { csk lifetime unlimited algorithm 13; }; dnskey-ttl ${POLICY_KEY_TTL_SECONDS}; };\n`;

export const bind = bindKind('BIND', '', '');
const signingBind = bindKind('BIND-policy', BIND_POLICY, 'dnssec-policy "short"; inline-signing yes;');

function bindKind(name: string, policy: string, ofZone: string): OldServerKind {
  return {
    name,
    command: '/usr/sbin/named',
    signs: policy !== '',
    configure: (place) => configureBind(place, policy, ofZone),
  };
}

function configureBind(
  { folder, host, port, zone, zoneFile }: Place,
  policy: string,
  ofZone: string,
): Promise<readonly string[]> {
  const options = [
    `directory "${folder}"`,
    `listen-on port ${port} { ${host}; }`,
    'listen-on-v6 { none; }',
    'pid-file none',
    'session-keyfile none',
    'recursion no',
    'allow-transfer { 127.0.0.1; }',
    'notify no',
    'dnssec-validation no',
  ];
  const text = `options { ${options.join('; ')}; };\ncontrols { };\n${policy}zone "${zone}" { type primary; file "${zoneFile}"; ${ofZone} };\n`;
  writeFileSync(join(folder, 'named.conf'), text);
  return Promise.resolve(['-g', '-4', '-n', '1', '-c', join(folder, 'named.conf')]);
}

const knotPolicy = (keyTtlSeconds: number): readonly string[] => [
  'policy:',
  '  - id: short',
  '    algorithm: ecdsap256sha256',
  '    single-type-signing: on',
  `    dnskey-ttl: ${keyTtlSeconds}`,
];

export const knot = knotKind('Knot', [], []);
const KNOT_SIGNING = ['    dnssec-signing: on', '    dnssec-policy: short'];

const signingKnot = knotKind('Knot-policy', knotPolicy(POLICY_KEY_TTL_SECONDS), KNOT_SIGNING);

/** It signs, and publishes the keys of other signers that stand in the zone file beside its own (RFC 8901). */
export function sharingKnot(keyTtlSeconds: number): OldServerKind {
  const sharing = [
    '    dnskey-management: incremental',
    // Knot asks for it, for keys that it exchanges.
    '    delete-delay: 1d',
    '    cds-cdnskey-publish: none',
  ];
  return knotKind('Knot-multi-signer', [...knotPolicy(keyTtlSeconds), ...sharing], KNOT_SIGNING);
}

function knotKind(name: string, policy: readonly string[], ofZone: readonly string[]): OldServerKind {
  return {
    name,
    command: '/usr/sbin/knotd',
    signs: policy.length > 0,
    configure: (place) => configureKnot(place, policy, ofZone),
  };
}

function configureKnot(
  { folder, host, port, zone, zoneFile }: Place,
  policy: readonly string[],
  ofZone: readonly string[],
): Promise<readonly string[]> {
  const lines = [
    'server:',
    `  rundir: "${folder}"`,
    `  listen: ${host}@${port}`,
    'log:',
    '  - target: stderr',
    '    any: warning',
    'database:',
    `  storage: "${folder}"`,
    'acl:',
    '  - id: here',
    '    address: 127.0.0.1',
    '    action: transfer',
    ...policy,
    'zone:',
    `  - domain: "${zone}"`,
    `    file: "${zoneFile}"`,
    '    acl: here',
    '    semantic-checks: off',
    '    zonefile-load: whole',
    '    zonefile-sync: -1',
    '    journal-content: none',
    ...ofZone,
    '',
  ];
  writeFileSync(join(folder, 'knot.conf'), lines.join('\n'));
  return Promise.resolve(['-c', join(folder, 'knot.conf')]);
}

const powerdns: OldServerKind = {
  name: 'PowerDNS',
  command: '/usr/sbin/pdns_server',
  signs: true,
  async configure({ folder, host, port, zone, zoneFile, isSigned }) {
    writeFileSync(join(folder, 'zones.conf'), `zone "${zone}" { type native; file "${zoneFile}"; };\n`);
    const keys = join(folder, 'keys.db');
    const settings = [
      'launch=bind',
      `bind-config=${folder}/zones.conf`,
      `bind-dnssec-db=${keys}`,
      `socket-dir=${folder}`,
      `local-address=${host}`,
      `local-port=${port}`,
      'daemon=no',
      'guardian=no',
      'loglevel=4',
      'security-poll-suffix=',
      'allow-axfr-ips=127.0.0.1',
      'zone-cache-refresh-interval=0',
    ];
    writeFileSync(join(folder, 'pdns.conf'), `${settings.join('\n')}\n`);
    const pdnsutil = async (...words: string[]): Promise<void> => {
      const { code, stdout, stderr } = await runProgram('pdnsutil', [`--config-dir=${folder}`, ...words]);
      if (code !== 0) throw new Error(`pdnsutil ${words.join(' ')}: ${stdout}${stderr}`);
    };
    await pdnsutil('create-bind-db', keys);
    if (isSigned) await pdnsutil('secure-zone', zone);
    return [`--config-dir=${folder}`];
  },
};

export const oldServerKinds: readonly OldServerKind[] = [bind, knot, powerdns];

/** Their zones are always signed. */
export const signingServerKinds: readonly OldServerKind[] = [signingBind, signingKnot];

export interface OldServer {
  /** `host:port`. */
  readonly address: string;
  stop(): Promise<void>;
}

export interface OldServerOptions {
  readonly kind: OldServerKind;
  /** Empty, or not there yet; after a stop, its keys are used again. */
  readonly folder: string;
  /** Without the final dot. */
  readonly zone: string;
  readonly text: string;
  readonly isSigned: boolean;
  /** A loopback address. */
  readonly host?: string;
  /** That of an earlier start, so that the source has the same name. */
  readonly port?: number;
}

/** Starts the server and waits until it answers for the zone. */
export async function startOldServer(options: OldServerOptions): Promise<OldServer & { port: number }> {
  const { kind, folder, zone, text, isSigned, host = '127.0.0.1', port = await freePort() } = options;
  mkdirSync(folder, { recursive: true });
  const unsigned = join(folder, 'zone');
  writeFileSync(unsigned, text);
  const zoneFile = isSigned && !kind.signs ? await signZone(folder, zone, unsigned) : unsigned;
  const args = await kind.configure({ folder, host, port, zone, zoneFile, isSigned });
  const child = startProgram(kind.command, args, { cwd: folder });
  let log = '';
  for (const pipe of [child.stdout, child.stderr])
    pipe?.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
  const stop = async (): Promise<void> => {
    await stopProgram(child, STOP_GRACE_MS);
  };
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isServing(zone, host, port))) {
    if (child.exitCode === null && performance.now() < deadline) continue;
    await stop();
    throw new Error(`${kind.name} does not serve ${zone}:\n${log.slice(-4000)}`);
  }
  return { address: `${host}:${port}`, port, stop };
}

async function isServing(zone: string, host: string, port: number): Promise<boolean> {
  const asked = [`@${host}`, '-p', `${port}`, '+time=1', '+tries=1', '+norec', zone, 'SOA'];
  const { stdout } = await runProgram('dig', asked);
  return /status: NOERROR/.test(stdout) && /flags: qr aa/.test(stdout) && /ANSWER: [12],/.test(stdout);
}

/** Signs with the keys in the folder, which it makes if there are none; returns the path of the signed file. */
export async function signZone(folder: string, zone: string, file: string): Promise<string> {
  const run = async (command: string, ...args: string[]): Promise<void> => {
    const { code, stderr } = await runProgram(command, args, { cwd: folder });
    if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  };
  if (!readdirSync(folder).some((name) => name.endsWith('.key'))) {
    await run('dnssec-keygen', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-K', folder, zone);
    await run('dnssec-keygen', '-a', 'ECDSAP256SHA256', '-K', folder, zone);
  }
  const signed = `${file}.signed`;
  await run('dnssec-signzone', '-S', '-K', folder, '-o', zone, '-f', signed, file);
  return signed;
}
