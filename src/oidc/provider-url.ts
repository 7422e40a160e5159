// Which addresses of a provider are asked: those with TLS, and this machine for tests and for trying it out.
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** The setting: the URL from which the provider's own description is found (OpenID Connect Discovery section 4). */
export function parseIssuer(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isProviderUrl(url, true))
    return malformed(
      'it must be an https URL, such as https://login.example.net, or http on the loopback interface',
    );
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return malformed('it must have no query, no fragment and no password');
  return parsed(text);
}

/** @param allowsLoopback the provider runs on this machine, so that its URLs may be plain HTTP to it */
export function isProviderUrl(url: URL, allowsLoopback: boolean): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && allowsLoopback && isLoopback(url);
}

export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
