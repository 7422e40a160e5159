import { formatListenAddress, type ListenAddress } from './config-parsers.ts';
import { isUnixAddress } from '../http/http-address.ts';
import type { Config } from './config-settings.ts';

/** Returns one sentence about the first contradiction between valid settings, or undefined. */
export function checkConfig(config: Config): string | undefined {
  return findRoleProblem(config) ?? findProxyProblem(config) ?? findPortProblem(config);
}

/** Separate roles need a database that all processes can reach. */
function findRoleProblem({ role, database }: Config): string | undefined {
  if (role === 'both' || database.kind === 'postgres') return undefined;
  return `role ${role} needs a database that several processes share, postgres://…, but database is sqlite:`;
}

/** Headers are accepted from trusted proxies only. */
function findProxyProblem({ proxyProtocol, trustedProxies }: Config): string | undefined {
  if (!proxyProtocol || trustedProxies !== null) return undefined;
  return 'proxy_protocol needs trusted_proxies, the proxies from which its headers are accepted';
}

function findPortProblem(config: Config): string | undefined {
  const listeners = [
    ...(isUnixAddress(config.http) ? [] : [{ setting: 'http', address: config.http }]),
    ...(config.role === 'api' ? [] : config.dns).map((address) => ({ setting: 'dns', address })),
  ];
  for (const [index, one] of listeners.entries()) {
    const other = listeners.slice(index + 1).find(({ address }) => overlap(one.address, address));
    if (other !== undefined) {
      return (
        `${one.setting} on ${formatListenAddress(one.address)} and ` +
        `${other.setting} on ${formatListenAddress(other.address)} want the same TCP port`
      );
    }
  }
  return undefined;
}

/** A wildcard address takes the port on every address of its family; `::` may take it for IPv4, too. */
function overlap(a: ListenAddress, b: ListenAddress): boolean {
  if (a.port !== b.port || a.port === 0) return false;
  if (a.host === b.host) return true;
  const sameFamily = a.host.includes(':') === b.host.includes(':');
  return sameFamily && [a.host, b.host].some((host) => host === '0.0.0.0' || host === '::');
}
