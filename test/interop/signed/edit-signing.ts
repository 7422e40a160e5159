// Random changes of how a domain is signed, between those of its records: rollovers that begin and are cancelled, the denial,
// and withdrawals that are taken back. The DS record at the parent zone stays right all the while.

import type { RolloverJson, SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import type { Random } from '../../harness/random.ts';
import type { Api } from '../api.ts';

const algorithms = [13, 15] as const;

/** Resolves with the words of the change. @param domain without the final dot */
export async function editSigning(random: Random, api: Api, domain: string): Promise<string> {
  const path = `/v2/domains/${domain}`;
  const { text } = await api.mustSend('GET', `${path}/dnssec/status`);
  const { rollover, denial } = (JSON.parse(text) as { dnssec: SigningStatusJson }).dnssec;
  if (random.below(3) === 0) {
    const other = denial === 'nsec' ? 'nsec3' : 'nsec';
    await api.mustSend('PATCH', `${path}/dnssec`, { denial: other });
    return other;
  }
  if (rollover !== null) return await takeBack(api, path, rollover);
  if (random.below(4) === 0) {
    await api.mustSend('PUT', path, { dns_sec: 'disabled' });
    return 'withdrawal';
  }
  const algorithm = random.pick(algorithms);
  await api.mustSend('POST', `${path}/dnssec/rollovers`, { algorithm });
  return `rollover to algorithm ${algorithm}`;
}

async function takeBack(api: Api, path: string, { id, kind }: RolloverJson): Promise<string> {
  if (kind === 'withdrawal') await api.mustSend('PUT', path, { dns_sec: 'enabled' });
  else await api.mustSend('DELETE', `${path}/dnssec/rollovers/${id}`);
  return `end of the ${kind === 'withdrawal' ? kind : 'rollover'}`;
}
