import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { decode, encode, type Answer, type Packet } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { lowerDomainName, parseDomainName, type DomainName } from '../../src/dns/name.ts';
import { parseRdata } from '../../src/dns/rdata.ts';
import { parseRecordType } from '../../src/dns/record-type-registry.ts';
import { createAnswerer } from '../../src/nameserver/answer.ts';
import type { Answerer } from '../../src/nameserver/answerer.ts';
import type { RecordSet } from '../../src/zone/record-set-block.ts';
import { ZoneMemory } from '../../src/zone/zone-memory.ts';
import { createZoneSpace } from '../../src/zone/zone-space.ts';
import { readScenario, type Ask, type ScenarioZone } from './scenario-file.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.scenario'),
);

for (const file of files) {
  const scenario = readScenario(join(folder, file));
  describe(relative(folder, scenario.file), () => {
    const answerer = serve(scenario.zones);
    test.each(scenario.asks)('line $line: $name $type', (ask) => {
      const message = decode(Buffer.from(answerTo(answerer, ask)));
      expect(shown(message)).toEqual({
        gets: ask.gets,
        answer: [...ask.answer].sort(),
        authority: [...ask.authority].sort(),
        additional: [...ask.additional].sort(),
      });
    });
  });
}

function serve(zones: readonly ScenarioZone[]): Answerer {
  const memory = new ZoneMemory(createZoneSpace(2 ** 20, 1, 99));
  for (const zone of zones) {
    const owners = new Map<
      string,
      { owner: DomainName; sets: { type: number; ttl: number; rdatas: Uint8Array[] }[] }
    >();
    let soa = new Uint8Array(0);
    for (const line of zone.records) {
      const [owner, ttl, type, ...data] = line.split(' ');
      const number = parseRecordType(type)!;
      const rdata = value(parseRdata(number, data.join(' ')));
      if (type === 'SOA') soa = Uint8Array.from(rdata);
      else {
        const key = owner.toLowerCase();
        const entry = owners.get(key) ?? { owner: value(parseDomainName(owner)), sets: [] };
        const set = entry.sets.find((each) => each.type === number);
        if (set === undefined) entry.sets.push({ type: number, ttl: Number(ttl), rdatas: [rdata] });
        else set.rdatas.push(rdata);
        owners.set(key, entry);
      }
    }
    const apex = lowerDomainName(value(parseDomainName(zone.apex)));
    memory.host(apex);
    const minimum = new DataView(soa.buffer).getUint32(soa.length - 4);
    const content = {
      apex,
      domainId: 1,
      soa: { serial: 1, rdata: soa, ttl: 3600, negativeTtl: Math.min(3600, minimum) },
    };
    expect(memory.load(content, owners.values() as Iterable<{ owner: DomainName; sets: RecordSet[] }>)).toBe(
      true,
    );
  }
  return createAnswerer({ memory: memory.space.memory, reader: 0 });
}

function value<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function answerTo(answerer: Answerer, ask: Ask): Uint8Array {
  const edns = ask.options.find((option) => option.startsWith('+edns'));
  const dnssec = ask.options.includes('+do');
  const query = encode({
    type: 'query',
    id: 4711,
    questions: [{ name: ask.name === '.' ? '.' : ask.name.replace(/\.$/, ''), type: ask.type }],
    additionals:
      edns === undefined && !dnssec
        ? []
        : [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: Number(edns?.split('=')[1] ?? 1232),
              flags: dnssec ? 0x8000 : 0,
              options: [],
            },
          ],
  });
  const buffer = new Uint8Array(65_535);
  buffer.set(query);
  const overTcp = ask.options.includes('+tcp');
  answerer.enter(0);
  const length = answerer.answer(buffer, 0, query.length, overTcp ? 65_535 : 4096, overTcp);
  answerer.leave();
  expect(length).toBeGreaterThan(0);
  return buffer.slice(0, length);
}

function shown(message: Packet): object {
  const { flag_aa, flag_tc, rcode } = message;
  const records = (section: readonly Answer[]): string[] =>
    section
      .filter((record) => record.type !== 'OPT')
      .map((record) => `${dotted(record.name)} ${record.ttl} ${record.type} ${data(record)}`)
      .sort();
  return {
    gets: [rcode, flag_aa ? 'aa' : '', flag_tc ? 'tc' : ''].filter((word) => word !== '').join(' '),
    answer: records(message.answers),
    authority: records(message.authorities),
    additional: records(message.additionals),
  };
}

/** The data in the scenario files' spelling, as an independent reader of the wire sees it. */
function data({ type, data }: Answer): string {
  switch (type) {
    case 'A':
    case 'AAAA':
      return data as string;
    case 'NS':
    case 'CNAME':
    case 'DNAME':
    case 'PTR':
      return dotted(data as string);
    case 'MX': {
      const mx = data as { preference?: number; exchange: string };
      return `${mx.preference ?? 0} ${dotted(mx.exchange)}`;
    }
    case 'SRV': {
      const srv = data as { priority?: number; weight?: number; port: number; target: string };
      return `${srv.priority ?? 0} ${srv.weight ?? 0} ${srv.port} ${dotted(srv.target)}`;
    }
    case 'TXT':
      return (data as Buffer[]).map((text) => JSON.stringify(text.toString())).join(' ');
    case 'SOA': {
      const soa = data as Record<string, number> & { mname: string; rname: string };
      const { serial, refresh, retry, expire, minimum } = soa;
      return `${dotted(soa.mname)} ${dotted(soa.rname)} ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
    }
    default:
      throw new Error(`scenario files know no ${type} yet`);
  }
}

function dotted(name: string): string {
  return name === '.' || name === '' ? '.' : `${name}.`;
}
