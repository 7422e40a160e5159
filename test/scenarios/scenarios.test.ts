import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { decode, encode, type Answer, type Packet } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { createAnswerer } from '../../src/nameserver/answer.ts';
import type { Answerer } from '../../src/nameserver/answerer.ts';
import { loadZones } from '../nameservers/own-answers.ts';
import type { TestRecord, TestZone } from '../nameservers/test-zone.ts';
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
  const memory = loadZones(zones.map(toTestZone), 1);
  return createAnswerer({ memory, reader: 0 });
}

function toTestZone({ apex, records }: ScenarioZone): TestZone {
  const rows = records.map((line): TestRecord => {
    const [owner, ttl, type, ...data] = line.split(' ');
    return { owner, ttl: Number(ttl), type, data: data.join(' ') };
  });
  return { apex, records: rows, without: [], asks: [] };
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
