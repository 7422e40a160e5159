import { isUnixAddress, type HttpAddress } from '../http/http-address.ts';

/**
 * Returns the origin under which browsers reach the service.
 *
 * @param publicUrl the setting; undefined: the service is tried out on its own machine
 */
export function browserUrl(publicUrl: string | undefined, http: HttpAddress): string {
  if (publicUrl !== undefined) return publicUrl;
  if (isUnixAddress(http)) return 'http://localhost';
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(http.host);
  const bracketed = http.host.includes(':') ? `[${http.host}]` : http.host;
  // By name: browsers keep no passkeys for an address.
  return `http://${isLocal ? 'localhost' : bracketed}:${http.port}`;
}
