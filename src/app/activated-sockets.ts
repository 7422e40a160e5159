import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import type { Config } from './config-settings.ts';

/**
 * The sockets that a supervisor has bound for this process: systemd's socket activation, see sd_listen_fds(3). Their
 * names (`FileDescriptorName=` of the socket unit) distinguish them. Never examines the sockets themselves.
 */
export interface ActivatedSockets {
  /** The descriptor that HTTP listens on; undefined: HTTP opens its own port. */
  readonly http: number | undefined;
  /** The descriptor on which TLS is spoken; undefined: HTTPS opens its own port, if the configuration has one. */
  readonly https: number | undefined;
  /** The descriptors that DNS is served on, UDP and TCP; empty: the nameserver opens its own ports. */
  readonly dns: readonly number[];
}

type Environment = Record<string, string | undefined>;

/** The first descriptor after stdin, stdout and stderr (SD_LISTEN_FDS_START). */
const FIRST_DESCRIPTOR = 3;

/** Far more than HTTP and DNS on every address of a machine need. */
const MAX_SOCKETS = 256;

/**
 * Reads the variables and removes them from the environment, so that child processes do not use them.
 *
 * @param pid of this process; variables for another process are ignored
 */
export function takeActivatedSockets(
  environment: Environment,
  pid: number,
  { role, https }: Pick<Config, 'role' | 'https'>,
): Parsed<ActivatedSockets> {
  const { LISTEN_PID: forWhom, LISTEN_FDS: count, LISTEN_FDNAMES: names } = environment;
  for (const name of ['LISTEN_PID', 'LISTEN_PIDFDID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) {
    Reflect.deleteProperty(environment, name);
  }
  if (forWhom !== String(pid) || count === undefined)
    return parsed({ http: undefined, https: undefined, dns: [] });
  if (!/^\d{1,9}$/.test(count) || Number(count) > MAX_SOCKETS) {
    return malformed(`LISTEN_FDS is ${JSON.stringify(count)}, not a number of sockets up to ${MAX_SOCKETS}`);
  }
  const sockets = nameSockets(Number(count), names?.split(':') ?? []);
  if (role === 'api' && sockets.ok && sockets.value.dns.length > 0)
    return malformed('a socket named dns is handed over, but role api answers no DNS');
  if (https === null && sockets.ok && sockets.value.https !== undefined)
    return malformed('a socket named https is handed over, but https is not set');
  return sockets;
}

function nameSockets(count: number, names: readonly string[]): Parsed<ActivatedSockets> {
  const byName = { http: [] as number[], https: [] as number[], dns: [] as number[] };
  for (let i = 0; i < count; i++) {
    const name = names[i] ?? '';
    if (name !== 'http' && name !== 'https' && name !== 'dns') {
      return malformed(
        `a socket named ${JSON.stringify(name)} is handed over, but only http, https and dns are known: set FileDescriptorName= in its unit`,
      );
    }
    byName[name].push(FIRST_DESCRIPTOR + i);
  }
  const { http, https, dns } = byName;
  for (const [name, { length }] of Object.entries({ http, https }))
    if (length > 1)
      return malformed(
        `${length} sockets named ${name} are handed over, but ${name.toUpperCase()} takes one`,
      );
  return parsed({ http: http[0], https: https[0], dns });
}
