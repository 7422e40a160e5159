import type { HttpClient, HttpReply, RecordBody } from '../harness/http-client.ts';
import type { Random } from '../harness/random.ts';

/*
 * A writer with owner names of its own, so that it always knows what must exist there. It creates, changes, deletes
 * and repeats; each answer is followed by a check.
 */

export interface Answered {
  readonly reply: HttpReply;
  /** An earlier attempt got no answer and may have taken effect. */
  readonly repeated: boolean;
}

/** The service under test, and the checks after each write. */
export interface Target {
  /** Repeats the request until the answer says that something happened (503 says that nothing did). */
  request(send: (http: HttpClient) => Promise<HttpReply>): Promise<Answered>;
  /** Called after each answer, with `written` at that moment. Reports faults itself. */
  lookAtSet(written: Written, set: string, random: Random): Promise<void>;
  lookAtDomain(domain: string, exists: boolean): Promise<void>;
}

export interface WriterContext {
  readonly target: Target;
  readonly domains: readonly string[];
  readonly random: Random;
  readonly writer: number;
  /** Sentences about faults. */
  readonly faults: string[];
  stopped(): boolean;
}

/** An acknowledged record, and how DNS must show it. */
export interface SavedRecord {
  readonly domain: string;
  readonly body: RecordBody;
  readonly served: string;
}

/** Content as sent, and as DNS must show it. */
interface Content {
  readonly data: string;
  readonly priority: number;
  readonly served: string;
}

/** The acknowledged records of one writer, and all places where it ever wrote. */
export interface Written {
  readonly saved: ReadonlyMap<string, SavedRecord>;
  /** All sets that ever had records: domain, owner, type. */
  readonly touched: ReadonlySet<string>;
}

export interface WriterResult extends Written {
  readonly acknowledged: number;
}

const OWNERS = 6;
/** Keeps the final comparison short. */
const MOST_RECORDS = 30;
const TYPES = ['A', 'AAAA', 'TXT', 'MX', 'SRV', 'CNAME'];

export async function runRecordWriter(context: WriterContext): Promise<WriterResult> {
  const { random, target } = context;
  const saved = new Map<string, SavedRecord>();
  const touched = new Set<string>();
  let number = 0;
  let acknowledged = 0;
  while (!context.stopped()) {
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
    await target.lookAtSet({ saved, touched }, set, random);
  }
  return { saved, touched, acknowledged };
}

export function setOf(domain: string, { name, type }: Pick<RecordBody, 'name' | 'type'>): string {
  return `${domain}|${name}|${type}`;
}

async function create(
  context: WriterContext,
  saved: Map<string, SavedRecord>,
  number: number,
): Promise<string> {
  const { random, writer, target, faults } = context;
  const domain = random.pick(context.domains);
  const alias = random.next() < 0.1;
  const type = alias ? 'CNAME' : random.pick(TYPES.slice(0, -1));
  // An alias has its name for itself, so each one gets a new name.
  const name = alias ? `w${writer}-alias${number}` : `w${writer}-o${random.below(OWNERS)}`;
  const { served, ...content } = newContent(type, writer, number);
  const sent = { type, name, ...content, ttl: 60 + random.below(1000) };
  const { reply, repeated } = await target.request((http) =>
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

/** Repeats a creation: the same id must be returned, without a second copy. */
async function repeat({ target, faults }: WriterContext, { domain, body }: SavedRecord): Promise<string> {
  const { id, ...sent } = body;
  const { reply } = await target.request((http) => http.post(`/v2/domains/${domain}/records`, sent));
  if (reply.status !== 200 || reply.json.record?.id !== id) {
    faults.push(`creating ${JSON.stringify(body)} again was answered ${reply.status} ${reply.text}`);
  }
  return setOf(domain, body);
}

async function change(
  { random, writer, target, faults }: WriterContext,
  saved: Map<string, SavedRecord>,
  { domain, body }: SavedRecord,
  number: number,
): Promise<string> {
  const { served, ...content } = newContent(body.type, writer, number);
  const patch = { ...content, ttl: 60 + random.below(1000) };
  const path = `/v2/domains/${domain}/records/${body.id}`;
  const { reply } = await target.request((http) => http.patch(path, patch));
  if (reply.status !== 204)
    faults.push(`changing ${JSON.stringify(body)} was answered ${reply.status} ${reply.text}`);
  saved.set(body.id, { domain, body: { ...body, ...patch }, served });
  return setOf(domain, body);
}

async function remove(
  { target, faults }: WriterContext,
  saved: Map<string, SavedRecord>,
  { domain, body }: SavedRecord,
): Promise<string> {
  const path = `/v2/domains/${domain}/records/${body.id}`;
  const { reply, repeated } = await target.request((http) => http.delete(path));
  const expected = repeated ? [204, 404] : [204];
  if (!expected.includes(reply.status)) {
    faults.push(
      `deleting ${JSON.stringify(body)} (repeated: ${repeated}) was answered ${reply.status} ${reply.text}`,
    );
  }
  saved.delete(body.id);
  return setOf(domain, body);
}

/** Content that is unique within the test. */
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
