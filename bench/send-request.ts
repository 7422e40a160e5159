/**
 * Sends one request to the service under test, for setup or for work that is timed as a whole; rates come from
 * `http-load.ts`.
 */

import type { ServiceUnderTest } from './service-under-test.ts';

/** @returns the body text @throws unless the status is 2xx */
export async function sendRequest(
  service: ServiceUnderTest,
  method: string,
  path: string,
  body?: string | Buffer | object,
): Promise<string> {
  const response = await fetch(`http://${service.host}:${service.httpPort}${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.key}` },
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** @param dnsSec whether it is signed from the start */
export async function createDomain(
  service: ServiceUnderTest,
  domain: string,
  dnsSec: 'enabled' | 'disabled' = 'disabled',
): Promise<void> {
  await sendRequest(service, 'POST', '/v2/domains', { domain, dns_sec: dnsSec });
}
