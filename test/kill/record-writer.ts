import type { RecordBody } from '../harness/http-client.ts';
import type { Random } from '../harness/random.ts';
import type { Victim } from './victim.ts';

/*
 * A writer that alone writes at its owner names, so that it knows at any moment what must stand there. It creates,
 * changes, deletes and repeats, and compares what DNS says with what it was told is saved.
 */

export interface WriterContext {
  readonly victim: Victim;
  readonly domains: readonly string[];
  readonly random: Random;
  readonly writer: number;
  /** Sentences about what went wrong. */
  readonly faults: string[];
  stopped(): boolean;
}

/** A record that was acknowledged, and how DNS must show it. */
export interface SavedRecord {
  readonly domain: string;
  readonly body: RecordBody;
  readonly served: string;
}

/** Content as it is sent, and as DNS must show it. */
interface Content {
  readonly data: string;
  readonly priority: number;
  readonly served: string;
}

export interface WriterResult {
  readonly saved: ReadonlyMap<string, SavedRecord>;
  /** All sets that ever held something: domain, owner, type. */
  readonly touched: ReadonlySet<string>;
  readonly acknowledged: number;
}

const OWNERS = 6;
/** Keeps the final comparison short. */
const MOST_RECORDS = 30;
const TYPES = ['A', 'AAAA', 'TXT', 'MX', 'SRV', 'CNAME'];
const CHECKED_AFTER_WRITE = 0.4;
const CHECKED_AFTER_RESTART = 8;

export async function runRecordWriter(context: WriterContext): Promise<WriterResult> {
  const { random, victim } = context;
  const saved = new Map<string, SavedRecord>();
  const touched = new Set<string>();
  let number = 0;
  let acknowledged = 0;
  let generation = victim.generation();
  while (!context.stopped()) {
    if (generation !== victim.generation()) {
      generation = victim.generation();
      for (let i = 0; i < CHECKED_AFTER_RESTART && touched.size > 0; i++) {
        await checkSet(context, saved, random.pick([...touched]), 'after a restart');
      }
    }
    const choice = random.next();
    const some = saved.size === 0 ? undefined : random.pick([...saved.values()]);
    let set: string;
    if (some === undefined || (choice < 0.45 && saved.size < MOST_RECORDS))
      set = await create(context, saved, ++number);
    else if (choice < 0.55) set = await repeat(context, some);
    else if (choice < 0.75) set = await change(context, saved, some, ++number);
    else set = await remove(context, saved, some);
    acknowledged++;
    touched.add(set);
    if (random.next() < CHECKED_AFTER_WRITE) await checkSet(context, saved, set, 'after a write');
  }
  return { saved, touched, acknowledged };
}

export function setOf(domain: string, { name, type }: Pick<RecordBody, 'name' | 'type'>): string {
  return `${domain}|${name}|${type}`;
}

/** Compares one set in DNS with the records that must be there. */
export async function checkSet(
  { victim, faults }: Pick<WriterContext, 'victim' | 'faults'>,
  saved: ReadonlyMap<string, SavedRecord>,
  set: string,
  when: string,
): Promise<void> {
  const [domain, name, type] = set.split('|') as [string, string, string];
  const records = [...saved.values()].filter((record) => setOf(record.domain, record.body) === set);
  const expected = records.map(({ served }) => served).sort();
  const ttl = Math.min(...records.map(({ body }) => body.ttl));
  const { seen, ttls } = await victim.ask(async (dns, options) => {
    const seen = await dns.look(`${name}.${domain}`, type, options);
    const { answers } = await dns.ask(`${name}.${domain}`, type, options);
    return { seen, ttls: answers.map((answer) => answer.ttl) };
  });
  const nothing = seen === 'NXDOMAIN' || seen === 'NODATA';
  const right = expected.length === 0 ? nothing : JSON.stringify(seen) === JSON.stringify(expected);
  if (!right)
    faults.push(`${when}: ${set} is ${JSON.stringify(seen)} in DNS, saved is ${JSON.stringify(expected)}`);
  else if (ttls.some((served) => served !== ttl))
    faults.push(`${when}: ${set} has TTL ${ttls.join()} in DNS, saved is ${ttl}`);
}

async function create(
  context: WriterContext,
  saved: Map<string, SavedRecord>,
  number: number,
): Promise<string> {
  const { random, writer, victim, faults } = context;
  const domain = random.pick(context.domains);
  const alias = random.next() < 0.1;
  const type = alias ? 'CNAME' : random.pick(TYPES.slice(0, -1));
  // An alias stands alone, so each has a name of its own.
  const name = alias ? `w${writer}-alias${number}` : `w${writer}-o${random.below(OWNERS)}`;
  const { served, ...content } = newContent(type, writer, number);
  const sent = { type, name, ...content, ttl: 60 + random.below(1000) };
  const { reply, repeated } = await victim.request((http) =>
    http.post(`/v2/domains/${domain}/records`, sent),
  );
  const record = reply.json.record;
  const expected = repeated ? [200, 201] : [201];
  if (!expected.includes(reply.status) || record === undefined) {
    faults.push(
      `creating ${JSON.stringify(sent)} (repeated: ${repeated}) was answered ${reply.status} ${reply.text}`,
    );
  } else {
    saved.set(record.id, { domain, body: { id: record.id, ...sent }, served });
  }
  return setOf(domain, sent);
}

/** Creates again what is there: the same id must come back, and no second copy. */
async function repeat({ victim, faults }: WriterContext, { domain, body }: SavedRecord): Promise<string> {
  const { id, ...sent } = body;
  const { reply } = await victim.request((http) => http.post(`/v2/domains/${domain}/records`, sent));
  if (reply.status !== 200 || reply.json.record?.id !== id) {
    faults.push(`creating ${JSON.stringify(body)} again was answered ${reply.status} ${reply.text}`);
  }
  return setOf(domain, body);
}

async function change(
  { random, writer, victim, faults }: WriterContext,
  saved: Map<string, SavedRecord>,
  { domain, body }: SavedRecord,
  number: number,
): Promise<string> {
  const { served, ...content } = newContent(body.type, writer, number);
  const patch = { ...content, ttl: 60 + random.below(1000) };
  const path = `/v2/domains/${domain}/records/${body.id}`;
  const { reply } = await victim.request((http) => http.patch(path, patch));
  if (reply.status !== 204)
    faults.push(`changing ${JSON.stringify(body)} was answered ${reply.status} ${reply.text}`);
  saved.set(body.id, { domain, body: { ...body, ...patch }, served });
  return setOf(domain, body);
}

async function remove(
  { victim, faults }: WriterContext,
  saved: Map<string, SavedRecord>,
  { domain, body }: SavedRecord,
): Promise<string> {
  const path = `/v2/domains/${domain}/records/${body.id}`;
  const { reply, repeated } = await victim.request((http) => http.delete(path));
  const expected = repeated ? [204, 404] : [204];
  if (!expected.includes(reply.status)) {
    faults.push(
      `deleting ${JSON.stringify(body)} (repeated: ${repeated}) was answered ${reply.status} ${reply.text}`,
    );
  }
  saved.delete(body.id);
  return setOf(domain, body);
}

/** Content that no other record of the test has. */
function newContent(type: string, writer: number, number: number): Content {
  const host = `h${number}.w${writer}.example`;
  const priority = number % 100;
  switch (type) {
    case 'A': {
      const data = `10.${writer}.${(number >> 8) & 0xff}.${number & 0xff}`;
      return { data, priority: -1, served: data };
    }
    case 'AAAA': {
      const data = `2001:db8:${writer + 1}::${(number + 1).toString(16)}`;
      return { data, priority: -1, served: data };
    }
    case 'TXT':
      return {
        data: `"${'long text '.repeat(number % 40)}${writer} ${number}"`,
        priority: -1,
        served: `${'long text '.repeat(number % 40)}${writer} ${number}`,
      };
    case 'MX':
      return { data: host, priority, served: `${priority} ${host}` };
    case 'SRV':
      return { data: `5 5060 ${host}`, priority, served: `${priority} 5 5060 ${host}` };
    default:
      return { data: host, priority: -1, served: host };
  }
}
