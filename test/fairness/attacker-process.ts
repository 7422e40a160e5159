// Carries out one attack in a process of its own, so that its work does not delay the neighbour's measurements. Says
// `prepared` when the measurement can begin, and ends when the attack has ended.
import { attacks } from './attacks/attacks.ts';
import { DnsClient } from '../harness/dns-client.ts';
import { HttpClient } from '../harness/http-client.ts';
import { Agent } from 'node:http';

export interface AttackOrder {
  readonly attack: string;
  readonly httpAddress: string;
  readonly dnsAddress: string;
  readonly keys: { readonly attacker: string; readonly accomplice: string };
  readonly milliseconds: number;
}

const MOST_CONNECTIONS = 256;

process.once('message', (order: AttackOrder) => void carryOut(order));

async function carryOut({
  attack: name,
  httpAddress,
  dnsAddress,
  keys,
  milliseconds,
}: AttackOrder): Promise<void> {
  const { prepare, run } = attacks[name];
  const http = new HttpClient(
    httpAddress,
    keys.attacker,
    new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
  );
  const about = { http, accomplice: http.withKey(keys.accomplice), dns: new DnsClient(dnsAddress) };
  await prepare?.({ ...about, end: new AbortController().signal });
  process.send?.('prepared');
  await run({ ...about, end: AbortSignal.timeout(milliseconds) });
  process.exit();
}
