import type { HttpReply, RecordBody } from '../harness/http-client.ts';
import type { Random } from '../harness/random.ts';
import type { Target } from '../kill/record-writer.ts';

/*
 * A domain that one writer alone writes to, one write after the other, so that its serial says everything: which
 * version is `serial`, what the alias leads to in it, and which numbers stand in its window.
 *
 *   alias   CNAME  hop-7            a new hop with a write; no hop exists, so the answer ends with the zone's SOA:
 *                                   alias and serial in one answer must be of one version
 *   window  TXT    "4" "5" "6"      one more at the end, or one less at the beginning, with a write: a set that is of
 *                                   no version shows
 */

export interface Version {
  readonly serial: number;
  readonly hop: number;
  /** The window's numbers, from the first to the last, both included. */
  readonly first: number;
  readonly last: number;
}

export interface VersionedDomain {
  readonly name: string;
  /** One after the other; each serial is the one before and 1. */
  readonly versions: readonly Version[];
}

const FEWEST_IN_WINDOW = 2;
const MOST_IN_WINDOW = 8;

interface WriterState {
  readonly name: string;
  readonly path: string;
  readonly versions: Version[];
  readonly aliasId: string;
  readonly windowIds: string[];
}

export interface VersionedWriter {
  readonly domain: VersionedDomain;
  /** Writes until `stopped`; resolves with the number of acknowledged writes. */
  run(stopped: () => boolean): Promise<number>;
}

export async function startVersionedDomain(
  name: string,
  target: Pick<Target, 'request'>,
  random: Random,
  faults: string[],
): Promise<VersionedWriter> {
  const path = `/v2/domains/${name}`;
  const create = async (members: object): Promise<{ record: RecordBody; serial: number }> => {
    const { reply } = await target.request((http) => http.post(`${path}/records`, { ...members, ttl: 60 }));
    const { record } = reply.json;
    if (record === undefined)
      throw new Error(`creating in ${name} was answered ${reply.status} ${reply.text}`);
    return { record, serial: serialOf(reply) ?? NaN };
  };
  await target.request((http) => http.post('/v2/domains', { domain: name }));
  const window = await create({ type: 'TXT', name: 'window', data: '0' });
  const alias = await create({ type: 'CNAME', name: 'alias', data: `hop-0.${name}` });
  const versions = [{ serial: alias.serial, hop: 0, first: 0, last: 0 }];
  const state = { name, path, versions, aliasId: alias.record.id, windowIds: [window.record.id] };
  const run = async (stopped: () => boolean): Promise<number> => {
    while (!stopped()) await writeNext(state, target, random, faults);
    return versions.length - 1;
  };
  return { domain: { name, versions }, run };
}

async function writeNext(
  { name, path, versions, aliasId, windowIds }: WriterState,
  { request }: Pick<Target, 'request'>,
  random: Random,
  faults: string[],
): Promise<void> {
  const before = versions[versions.length - 1];
  const size = windowIds.length;
  const choice = random.next();
  let version: Version;
  let reply: HttpReply;
  if (choice < 0.4) {
    version = { ...before, hop: before.hop + 1 };
    const data = `hop-${version.hop}.${name}`;
    ({ reply } = await request((http) => http.patch(`${path}/records/${aliasId}`, { data })));
  } else if (size <= FEWEST_IN_WINDOW || (choice < 0.7 && size < MOST_IN_WINDOW)) {
    version = { ...before, last: before.last + 1 };
    const sent = { type: 'TXT', name: 'window', data: String(version.last), ttl: 60 };
    ({ reply } = await request((http) => http.post(`${path}/records`, sent)));
    windowIds.push(reply.json.record?.id ?? '');
  } else {
    version = { ...before, first: before.first + 1 };
    const id = windowIds.shift() ?? '';
    ({ reply } = await request((http) => http.delete(`${path}/records/${id}`)));
  }
  // A repeated deletion is answered 404, without a serial; nobody else writes here, so the domain's is that of this write.
  const serial = serialOf(reply) ?? serialOf((await request((http) => http.get(path))).reply);
  const expected = (before.serial + 1) >>> 0;
  if (serial !== expected)
    faults.push(
      `${name}: ${JSON.stringify(version)} came after serial ${before.serial}, and has ${String(serial)}`,
    );
  versions.push({ ...version, serial: expected });
}

function serialOf(reply: HttpReply): number | undefined {
  const text = reply.headers['zone-serial'];
  return typeof text === 'string' ? Number(text) : undefined;
}
