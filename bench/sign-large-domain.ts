/**
 * Signs one large domain while its pages are read, another domain is written to and the large one is asked for over DNS
 * (with dnsperf, if it is installed), and prints the times of all:
 *
 *     node --import tsx bench/sign-large-domain.ts [names] [nsec|nsec3] [alone]        after npm run build
 *
 * CPU is that of all processes of the service, from the request until the domain is signed. With `alone`, nothing else is
 * asked of the service meanwhile, so that it is what signing costs.
 */
import { familyProcessorSeconds } from '../test/harness/process-family.ts';
import { dnsperfAnswers } from './dnsperf-latencies.ts';
import { percentile } from './percentile.ts';
import { startService, type ServiceUnderTest } from './service-under-test.ts';

const names = Number(process.argv.at(2) ?? 1_000_000);
const denial = process.argv.at(3) ?? 'nsec';
const isAlone = process.argv.at(4) === 'alone';

/** A request takes 200,000 at most. */
const NAMES_A_PART = 100_000;

const QUERIES_PER_SECOND = 200;

/** One run of dnsperf. */
const QUERY_SECONDS = 5;

const service = await startService({
  settings: {
    ZONEWRIGHT_DNSSEC_DENIAL: denial,
    ZONEWRIGHT_ZONE_MEMORY: '2047M',
    // The imports would wait for their minute.
    ZONEWRIGHT_LIMIT_COST: '1000000000',
    ZONEWRIGHT_RESOLVERS: 'none',
  },
});
try {
  await measure(service);
} finally {
  await service.stop();
}

async function measure(service: ServiceUnderTest): Promise<void> {
  const send = sender(service);
  await send('POST', '/v2/domains', { domain: 'large.example' });
  await send('POST', '/v2/domains', { domain: 'other.example' });
  for (let first = 0; first < names; first += NAMES_A_PART) {
    const lines = Array.from(
      { length: Math.min(NAMES_A_PART, names - first) },
      (_, at) => `host${first + at} 300 IN A 192.0.2.1`,
    );
    await send('POST', '/v2/domains/large.example/zonefile', lines.join('\n'));
  }
  await readIntoMemory(service);
  const cpuBefore = familyProcessorSeconds(service.pid);
  const startedMs = performance.now();
  await send('PATCH', '/v2/domains/large.example', { dns_sec: 'enabled' });
  const answeredMs = performance.now() - startedMs;
  let isSigning = true;
  const asked = askMeanwhile(service, () => isSigning && !isAlone);
  const pages: number[] = [];
  const writes: number[] = [];
  let status: { readonly dnssec: { readonly state: string; readonly progress: unknown } };
  do {
    if (isAlone) await new Promise((resolve) => setTimeout(resolve, 1000));
    for (let round = 0; round < 20 && !isAlone; round++) {
      pages.push(await timed(() => send('GET', '/v2/domains/large.example/records?per_page=100')));
      writes.push(
        await timed(() =>
          send('POST', '/v2/domains/other.example/records', {
            name: `n${writes.length}`,
            type: 'A',
            data: '192.0.2.1',
            ttl: 300,
          }),
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    status = (await send('GET', '/v2/domains/large.example/dnssec/status')) as typeof status;
    console.error(
      Math.round((performance.now() - startedMs) / 1000),
      status.dnssec.state,
      JSON.stringify(status.dnssec.progress),
    );
  } while (status.dnssec.state === 'signing');
  const cpu = familyProcessorSeconds(service.pid) - cpuBefore;
  const signedMs = performance.now() - startedMs;
  isSigning = false;
  const { sent, latenciesMs } = await asked;
  const print = (what: string, value: number, unit: string): void =>
    console.log(`${what}: ${value.toFixed(2)} ${unit}`);
  print('answer of the request', answeredMs, 'ms');
  print('until signed', signedMs / 1000, 's');
  print('CPU of the service', cpu, 's');
  if (isAlone) return;
  print(
    'page of 100 records, p99',
    percentile(
      pages.toSorted((a, b) => a - b),
      99,
    ),
    'ms',
  );
  print(
    'write of another domain, p99',
    percentile(
      writes.toSorted((a, b) => a - b),
      99,
    ),
    'ms',
  );
  print('write of another domain, longest', Math.max(...writes), 'ms');
  if (sent === 0) return;
  print('DNS queries', sent, '');
  print('DNS queries without the right answer', sent - latenciesMs.length, '');
  print(
    'DNS answer, p99',
    percentile(
      latenciesMs.toSorted((a, b) => a - b),
      99,
    ),
    'ms',
  );
}

/** Reading a million names for the first time takes seconds, in which queries wait; it is not what is measured here. */
async function readIntoMemory(service: ServiceUnderTest): Promise<void> {
  let found;
  do found = await dnsperfAnswers(service, ['host0.large.example'], 1, 1);
  while (found !== undefined && found.latenciesMs.length < found.sent);
}

/** Asks for names of the large domain as long as it is being signed; `sent` is 0 if dnsperf is not installed. */
async function askMeanwhile(
  service: ServiceUnderTest,
  isSigning: () => boolean,
): Promise<{ readonly sent: number; readonly latenciesMs: readonly number[] }> {
  const asked = Array.from(
    { length: 1000 },
    (_, at) => `host${Math.floor((at * names) / 1000)}.large.example`,
  );
  const latenciesMs: number[] = [];
  let sent = 0;
  while (isSigning()) {
    const found = await dnsperfAnswers(service, asked, QUERIES_PER_SECOND, QUERY_SECONDS);
    if (found === undefined) break;
    sent += found.sent;
    latenciesMs.push(...found.latenciesMs);
  }
  return { sent, latenciesMs };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
}

function sender({ host, httpPort, key }: ServiceUnderTest) {
  return async (method: string, path: string, body?: object | string): Promise<unknown> => {
    const type = typeof body === 'string' ? 'text/dns' : 'application/json';
    const response = await fetch(`http://${host}:${httpPort}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
}
