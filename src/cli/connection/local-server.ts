import { join } from 'node:path';
import { findVariable, nonEmpty, type Environment } from '../terminal/environment.ts';
import { readToml } from '../input/read-toml.ts';

/**
 * Address and admin key file of a server that is started in this folder and environment, from the same variables and
 * the same configuration file. Other settings in the file are ignored.
 */
export interface LocalServer {
  readonly url: string;
  readonly adminKeyFile: string;
}

export const DEFAULT_URL = 'http://127.0.0.1:8080';

const DEFAULT_CONFIG_FILE = './zonewright.toml';

/** @throws CommandFailure if the configuration file cannot be read */
export function findLocalServer(environment: Environment): LocalServer {
  const named = findVariable(environment, 'ZONEWRIGHT_CONFIG');
  const file = readToml(named ?? DEFAULT_CONFIG_FILE) ?? {};
  const setting = (name: string): string | undefined => {
    const inFile = file[name];
    const fallback = typeof inFile === 'string' ? inFile : undefined;
    return findVariable(environment, `ZONEWRIGHT_${name.toUpperCase()}`) ?? nonEmpty(fallback);
  };
  return {
    url: urlOf(setting('http')),
    adminKeyFile: setting('admin_key_file') ?? join(setting('data') ?? './data', 'admin.key'),
  };
}

/**
 * Replaces a wildcard address by the loopback address. Falls back to the default for port 0, since the real port is
 * unknown.
 */
function urlOf(listen: string | undefined): string {
  if (listen?.startsWith('unix:') === true) return listen;
  const { host = '', port = '0' } = /^(?<host>.*):(?<port>\d+)$/.exec(listen ?? '')?.groups ?? {};
  if (Number(port) === 0) return DEFAULT_URL;
  const reached = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]', '': '127.0.0.1' }[host] ?? host;
  return `http://${reached}:${port}`;
}
