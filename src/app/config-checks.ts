import { formatListenAddress, type ListenAddress } from './config-parsers.ts';
import { isUnixAddress } from '../http/http-address.ts';
import { isLoopback } from '../oidc/provider-url.ts';
import { settings, type Config } from './config-settings.ts';

/** Returns one sentence about the first contradiction between valid settings, or undefined. */
export function checkConfig(config: Config): string | undefined {
  return (
    findRoleProblem(config) ??
    findTlsProblem(config) ??
    findSetProblem(config) ??
    findProxyProblem(config) ??
    findOidcProblem(config) ??
    findPortProblem(config)
  );
}

/** Separate roles need a database that all processes can reach. */
function findRoleProblem({ role, database }: Config): string | undefined {
  if (role === 'both' || database.kind === 'postgres') return undefined;
  return `role ${role} needs a database that several processes share, postgres://…, but database is sqlite:`;
}

/** TLS is spoken with all three, or not at all. */
function findTlsProblem({ https, tlsCertificate, tlsKey }: Config): string | undefined {
  const given = { https, tls_certificate: tlsCertificate, tls_key: tlsKey };
  const names = Object.keys(given) as (keyof typeof given)[];
  const present = names.find((name) => given[name] !== null);
  const missing = names.find((name) => given[name] === null);
  return present && missing && `${present} is set, but TLS needs ${missing} as well`;
}

function findSetProblem({ nameserverSet, nameservers }: Config): string | undefined {
  if (nameserverSet === null || nameserverSet <= nameservers.length) return undefined;
  return `nameserver_set is ${nameserverSet}, but nameservers has only ${nameservers.length} of which a domain could get so many`;
}

/** Headers are accepted from trusted proxies only. */
function findProxyProblem({ proxyProtocol, trustedProxies }: Config): string | undefined {
  if (!proxyProtocol || trustedProxies !== null) return undefined;
  return 'proxy_protocol needs trusted_proxies, the proxies from which its headers are accepted';
}

/** A provider leads browsers back to the public URL, with a cookie that is secure unless it is this machine. */
function findOidcProblem(config: Config): string | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, publicUrl } = config;
  const wanted = { oidcIssuer, oidcClientId, oidcClientSecret, oidcName };
  if (Object.values(wanted).every((value) => value === null)) return undefined;
  const missing = Object.entries({ ...wanted, publicUrl })
    .filter(([, value]) => value === null)
    .map(([name]) => settings[name as keyof typeof wanted | 'publicUrl'].key);
  if (missing.length > 0) return `signing in with OpenID Connect also needs ${missing.join(', ')}`;
  const url = new URL(publicUrl ?? '');
  if (url.protocol === 'https:' || isLoopback(url)) return undefined;
  return 'signing in with OpenID Connect needs a public_url with https, unless it is on the loopback interface';
}

function findPortProblem(config: Config): string | undefined {
  const listeners = [
    ...(isUnixAddress(config.http) ? [] : [{ setting: 'http', address: config.http }]),
    ...(config.https === null ? [] : [{ setting: 'https', address: config.https }]),
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
