// Random changes of a zone over HTTP: hosts, wildcards, aliases, DNAMEs, delegations with glue and DS, names several labels
// deep (which make empty non-terminals), TTLs, and removals. Few labels are used, so that names meet and hide each other.

import type { Random } from '../../harness/random.ts';
import type { Api } from '../api.ts';
import type { ModelRecord, ModelZone } from './model-zone.ts';

const labels = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const ttls = [60, 300, 900, 3600] as const;
const MAX_DEPTH = 3;
/** More are removed than added beyond this number. */
const MANY_RECORDS = 60;

export interface EditedZone extends ModelZone {
  readonly records: ModelRecord[];
  /** The DS data of each child, by its apex. */
  readonly childDs: ReadonlyMap<string, string>;
}

/** A record that one change writes; `data` is the HTTP form if it differs from the shown form. */
interface NewRecord {
  readonly owner: string;
  readonly type: string;
  readonly shown: string;
}

/** A name below the apex. */
export function randomName(random: Random, apex: string): string {
  const depth = 1 + random.below(MAX_DEPTH);
  return Array.from({ length: depth }, () => `${random.pick(labels)}.`).join('') + apex;
}

/** Makes one change; resolves with false if the service refuses it, as it does with a second CNAME. */
export async function editRandomly(random: Random, api: Api, zone: EditedZone): Promise<boolean> {
  const choice = random.below(100);
  const isFull = zone.records.length > MANY_RECORDS;
  if (choice < (isFull ? 60 : 25)) return await removeOne(random, api, zone);
  if (choice < 70) return await addOne(api, zone, newData(random, zone), random.pick(ttls));
  if (choice < 78) return await changeTtl(random, api, zone);
  if (choice < 85)
    return await addOne(api, zone, alias(random, zone, 'CNAME', randomName(random, zone.apex)), 300);
  if (choice < 88)
    return await addOne(
      api,
      zone,
      alias(random, zone, 'DNAME', `moved.${randomName(random, zone.apex)}`),
      300,
    );
  if (choice < 94) return await delegate(random, api, zone);
  return await toggleDs(random, api, zone);
}

function newData(random: Random, { apex }: ModelZone): NewRecord {
  const name = randomName(random, apex);
  const owner = random.below(4) === 0 ? `*.${name}` : name;
  const number = random.below(250);
  switch (random.below(4)) {
    case 0:
      return { owner, type: 'AAAA', shown: `2001:db8::${(number + 1).toString(16)}` };
    case 1:
      return { owner, type: 'TXT', shown: `"text ${number}"` };
    default:
      return { owner, type: 'A', shown: `192.0.2.${number}` };
  }
}

function alias(random: Random, { apex }: ModelZone, type: 'CNAME' | 'DNAME', name: string): NewRecord {
  const owner = type === 'CNAME' && random.below(3) === 0 ? `*.${name}` : name;
  return { owner, type, shown: randomName(random, apex) };
}

/** Delegates a name to a nameserver that nobody asks. */
async function delegate(random: Random, api: Api, zone: EditedZone): Promise<boolean> {
  const owner = randomName(random, zone.apex);
  const host = `ns.${owner}`;
  if (!(await addOne(api, zone, { owner, type: 'NS', shown: host }, 300))) return false;
  await addOne(api, zone, { owner: host, type: 'A', shown: '192.0.2.53' }, 300);
  if (random.below(2) === 0)
    await addOne(api, zone, { owner, type: 'DS', shown: `1 13 2 ${'AB'.repeat(32)}` }, 300);
  return true;
}

async function toggleDs(random: Random, api: Api, zone: EditedZone): Promise<boolean> {
  const owner = random.pick(zone.children);
  const known = zone.records.find((record) => record.owner === owner && record.type === 'DS');
  if (known !== undefined) return await remove(api, zone, known);
  return await addOne(api, zone, { owner, type: 'DS', shown: zone.childDs.get(owner) ?? '' }, 300);
}

async function changeTtl(random: Random, api: Api, zone: EditedZone): Promise<boolean> {
  const record = pickChangeable(random, zone);
  if (record === undefined) return false;
  const ttl = random.pick(ttls);
  const { status } = await api.send('PATCH', pathOf(zone, record), { ttl });
  if (status !== 204) return false;
  zone.records.splice(zone.records.indexOf(record), 1, { ...record, ttl });
  return true;
}

async function removeOne(random: Random, api: Api, zone: EditedZone): Promise<boolean> {
  const record = pickChangeable(random, zone);
  if (record === undefined) return false;
  // A DS record belongs to a delegation (RFC 4034 section 5): none stays behind.
  const ds = zone.records.filter(
    ({ owner, type }) => record.type === 'NS' && owner === record.owner && type === 'DS',
  );
  for (const each of ds) await remove(api, zone, each);
  return await remove(api, zone, record);
}

async function remove(api: Api, zone: EditedZone, record: ModelRecord): Promise<boolean> {
  const { status } = await api.send('DELETE', pathOf(zone, record));
  if (status !== 204) return false;
  zone.records.splice(zone.records.indexOf(record), 1);
  return true;
}

/** The apex and the delegations of the children stay as they are. */
function pickChangeable(random: Random, { apex, children, records }: EditedZone): ModelRecord | undefined {
  const changeable = records.filter(
    ({ owner }) =>
      owner !== apex && !children.some((child) => owner === child || owner.endsWith(`.${child}`)),
  );
  return changeable.length === 0 ? undefined : random.pick(changeable);
}

/** Adds a record over HTTP, and to the model if the service accepts it as a new one. */
export async function addOne(
  api: Api,
  zone: EditedZone,
  { owner, type, shown }: NewRecord,
  ttl: number,
): Promise<boolean> {
  const { apex, children, records } = zone;
  // A DNAME or delegation above a child would hide it: the resolver knows where the child is, whatever its parent says.
  if (['NS', 'DNAME'].includes(type) && children.some((child) => child.endsWith(`.${owner}`))) return false;
  const name = owner === apex ? '' : owner.slice(0, -apex.length - 1);
  const body = { type, name, data: shown, ttl };
  const { status, body: answer } = await api.send('POST', `/v2/domains/${apex.slice(0, -1)}/records`, body);
  const id = answer.record?.id;
  if (status >= 500 || status === 401)
    throw new Error(`writing ${JSON.stringify(body)} was answered ${status}`);
  if (status !== 201 || id === undefined) return false;
  records.push({ id, owner, type, ttl, shown });
  return true;
}

function pathOf({ apex }: ModelZone, { id }: ModelRecord): string {
  return `/v2/domains/${apex.slice(0, -1)}/records/${id}`;
}
