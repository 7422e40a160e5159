/** Remarks about records that worked only behind Cloudflare. */
export function findCloudflareNote(type: string, data: string, isProxied: boolean): string | undefined {
  if (type === 'MX' && /\.mx\.cloudflare\.net\.?$/i.test(data)) {
    return 'Cloudflare forwards mail only for domains that it serves: set up another mail service before you change the delegation';
  }
  if (type === 'CNAME' && /\.cfargotunnel\.com\.?$/i.test(data)) {
    return 'a Cloudflare tunnel, which can be reached only through its proxy';
  }
  return isProxied
    ? 'Cloudflare stood before this address (proxied); from now on DNS names the address itself'
    : undefined;
}

/** The reason why a CNAME record of the domain itself is skipped. */
export const APEX_CNAME =
  'a domain itself cannot have a CNAME record; Cloudflare answers with the addresses of its target: create these as A and AAAA records';

/** TTL 1 is "automatic", which Cloudflare documents as 300 seconds. */
export const AUTOMATIC_TTL = 1;
export const AUTOMATIC_TTL_SECONDS = 300;
