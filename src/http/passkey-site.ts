import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the origin and host name that passkeys belong to. Browsers keep none for an address, and the host that a request names
 * could be anything: without the setting, there are passkeys on the loopback interface only, for trying the service out.
 *
 * @param publicUrl the origin under which browsers reach the service, if it is set
 */
export function findPasskeySite(
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  publicUrl: string | undefined,
): { readonly origin: string; readonly rpId: string } | undefined {
  if (publicUrl !== undefined) {
    const { hostname } = new URL(publicUrl);
    return isAddress(hostname) ? undefined : { origin: publicUrl, rpId: hostname };
  }
  if (host === undefined || !/^localhost(?::\d+)?$/i.test(host)) return undefined;
  const own = `http://${host.toLowerCase()}`;
  const secure = `https://${host.toLowerCase()}`;
  return { origin: origin === secure ? secure : own, rpId: 'localhost' };
}

function isAddress(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
}
