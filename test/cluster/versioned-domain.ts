import type { HttpReply, RecordBody } from '../harness/http-client.ts';
import type { Random } from '../harness/random.ts';
import type { Target } from '../kill/record-writer.ts';

/*
 * A domain with a single writer that makes one write after the other. Its serial therefore identifies the version: the
 * target of the alias and the numbers in the window.
 *
 *   alias   CNAME  hop-7            some writes change the hop; no hop exists, so the answer ends with the zone's
 *                                   SOA: alias and serial in one answer must be of one version
 *   window  TXT    "4" "5" "6"      some writes add a number at the end or remove one at the beginning: a set that
 *                                   belongs to no version is detected
 */

export interface Version {
  readonly serial: number;
  readonly hop: number;
  /** The first and last number of the window, both included. */
  readonly first: number;
  readonly last: number;
}

export interface VersionedDomain {
  readonly name: string;
  /** Consecutive versions; each serial is one more than the previous. */
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
  /** Runs until `stopped`; resolves with the number of acknowledged writes. */
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
  // A repeated deletion is answered 404, without a serial. This is the only writer, so the domain's serial is that of
  // this write.
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
