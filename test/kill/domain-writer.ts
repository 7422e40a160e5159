import type { WriterContext } from './record-writer.ts';

/*
 * A writer that creates and deletes whole domains, and records that other writers create too: each must exist once,
 * with one id.
 */

export interface DomainWriterResult {
  /** Maps each name to whether it must exist. */
  readonly domains: ReadonlyMap<string, boolean>;
  readonly acknowledged: number;
}

/** Names to record ids, as reported to all writers of shared records. */
export type SharedRecords = Map<string, string>;

const NAMES = 5;
const SHARED_NAMES = 400;

export async function runDomainWriter(context: WriterContext): Promise<DomainWriterResult> {
  const { target, random, faults, writer } = context;
  const domains = new Map<string, boolean>();
  let acknowledged = 0;
  while (!context.stopped()) {
    const domain = `kill${writer}-${random.below(NAMES)}.example`;
    const exists = domains.get(domain) ?? false;
    if (exists && random.next() < 0.7) {
      const { reply, repeated } = await target.request((http) => http.delete(`/v2/domains/${domain}`));
      const right = reply.status === 204 || (repeated && reply.status === 404);
      if (!right)
        faults.push(`deleting ${domain} (repeated: ${repeated}) was answered ${reply.status} ${reply.text}`);
      domains.set(domain, false);
    } else {
      const body = { domain, ip: '192.0.2.1' };
      const { reply, repeated } = await target.request((http) => http.post('/v2/domains', body));
      const right = reply.status === (exists ? 200 : 201) || (repeated && reply.status === 200);
      if (!right)
        faults.push(`creating ${domain} (repeated: ${repeated}) was answered ${reply.status} ${reply.text}`);
      domains.set(domain, true);
    }
    acknowledged++;
    await target.lookAtDomain(domain, domains.get(domain) === true);
  }
  return { domains, acknowledged };
}

/** Creates records that other writers create as well. Returns the number of answers. */
export async function runSharedWriter(context: WriterContext, shared: SharedRecords): Promise<number> {
  const { target, random, faults, domains } = context;
  let acknowledged = 0;
  while (!context.stopped()) {
    const name = `shared${random.below(SHARED_NAMES)}`;
    const domain = domains[name.length % domains.length] ?? '';
    const known = shared.get(`${domain}|${name}`);
    const sent = { type: 'TXT', name, data: `"${name}"`, ttl: 300 };
    const { reply } = await target.request((http) => http.post(`/v2/domains/${domain}/records`, sent));
    const id = reply.json.record?.id;
    const first = shared.get(`${domain}|${name}`);
    if (id === undefined || (first !== undefined && first !== id)) {
      faults.push(`creating ${name}, known as ${String(first)}, was answered ${reply.status} ${reply.text}`);
    } else if (known !== undefined && reply.status !== 200) {
      faults.push(`creating ${name} again was answered ${reply.status} ${reply.text}`);
    }
    if (id !== undefined) shared.set(`${domain}|${name}`, id);
    acknowledged++;
  }
  return acknowledged;
}
