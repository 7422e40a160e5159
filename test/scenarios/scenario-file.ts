/**
 * Reads scenario files: a zone, queries, and the answers they must get, as text.
 *
 *     ; a comment; after `ask` it names the clause that the answer follows from
 *     zone example.                     the records of the zone follow, one a line, all names absolute:
 *     www.example. 300 A 192.0.2.1
 *     ask www.example. A                options: +tcp +edns +edns=1232 +do
 *     gets NOERROR aa                   response code, then the header bits that are set: aa tc
 *     answer                            then the records of each section, in any order; a section left out is empty
 *     www.example. 300 A 192.0.2.1
 *     authority
 *     additional
 *
 * `{a*60}` stands for sixty times the letter a.
 */

import { readFileSync } from 'node:fs';

export interface Scenario {
  readonly file: string;
  readonly zones: readonly ScenarioZone[];
  readonly asks: readonly Ask[];
}

export interface ScenarioZone {
  readonly apex: string;
  readonly records: readonly string[];
}

export interface Ask {
  readonly line: number;
  readonly name: string;
  readonly type: string;
  readonly options: readonly string[];
  readonly gets: string;
  readonly answer: string[];
  readonly authority: string[];
  readonly additional: string[];
}

export function readScenario(file: string): Scenario {
  const zones: { apex: string; records: string[] }[] = [];
  const asks: Ask[] = [];
  let into: string[] | undefined;
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((raw, index) => {
      const line = raw
        .replace(/(^|\s);.*$/, '')
        .replace(/\{(.)\*(\d+)\}/g, (_, letter: string, times: string) => letter.repeat(Number(times)))
        .trim();
      if (line === '') return;
      const [word, ...rest] = line.split(/\s+/);
      const ask = asks.at(-1);
      if (word === 'zone') {
        zones.push({ apex: rest[0], records: [] });
        into = zones.at(-1)!.records;
      } else if (word === 'ask') {
        const [name, type, ...options] = rest;
        asks.push({
          line: index + 1,
          name,
          type,
          options,
          gets: '',
          answer: [],
          authority: [],
          additional: [],
        });
        into = undefined;
      } else if (word === 'gets') asks[asks.length - 1] = { ...ask!, gets: rest.join(' ') };
      else if (word === 'answer' || word === 'authority' || word === 'additional') into = ask![word];
      else if (into === undefined) throw new Error(`${file}:${index + 1}: what is "${line}"?`);
      else into.push(line.replace(/\s+/g, ' '));
    });
  return { file, zones, asks };
}
