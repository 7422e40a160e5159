// An attack of the fairness test: what a customer with an ordinary key, or somebody without one, does to the service.
import type { DnsClient } from '../harness/dns-client.ts';
import type { HttpClient } from '../harness/http-client.ts';

/** The addresses, and the keys of two ordinary accounts. */
export interface Attacker {
  readonly http: HttpClient;
  readonly accomplice: HttpClient;
  readonly dns: DnsClient;
  /** Aborted when the attack has to end. */
  readonly end: AbortSignal;
}

export interface Attack {
  /** In the words of the result table. */
  readonly title: string;
  /** Settings that differ from the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Fills the attacker's own domains before the measurement begins. */
  readonly prepare?: (attacker: Attacker) => Promise<void>;
  /** Goes on until the signal is aborted, whatever the answers are. */
  readonly run: (attacker: Attacker) => Promise<void>;
  /** Most octets that the data folder may have grown by in the end, over what the neighbour writes. */
  readonly mostGrowthBytes?: number;
}

/** Repeats a request in parallel loops until the attack has to end. Refusals and lost connections do not stop it. */
export async function loop(
  { end }: Attacker,
  loops: number,
  request: (round: number, index: number) => Promise<unknown>,
): Promise<void> {
  const one = async (index: number): Promise<void> => {
    for (let round = 0; !end.aborted; round++) {
      const startMs = performance.now();
      await request(round, index).catch(() => undefined);
      // An attacker whose requests are refused at once does not spin faster than a network lets it.
      const restMs = LEAST_ROUND_MS - (performance.now() - startMs);
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  };
  await Promise.all(Array.from({ length: loops }, (_, index) => one(index)));
}

const LEAST_ROUND_MS = 10;

/** Sends a request of the preparation, which has to succeed. Waits and repeats while the service is busy. */
export async function must(http: HttpClient, method: string, path: string, body?: unknown): Promise<void> {
  for (;;) {
    const { status, text, headers } = await http.request(method, path, body, { timeoutMs: 300_000 });
    if (status < 300) return;
    // Without the header, a repetition is no use.
    if ((status !== 429 && status !== 503) || headers['retry-after'] === undefined)
      throw new Error(`${method} ${path} was answered ${status} ${text.slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, Number(headers['retry-after']) * 1000));
  }
}

/** Creates a domain and imports a zone file into it. */
export async function makeZone(http: HttpClient, domain: string, zoneFile: string): Promise<void> {
  await must(http, 'POST', '/v2/domains', { domain });
  await must(http, 'PUT', `/v2/domains/${domain}/zonefile`, zoneFile);
}
