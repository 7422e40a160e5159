// Queries the nameserver with dig and parses the sections of its answer.

import { expectEqual } from './expect.ts';
import { runProgram } from './run-program.ts';

export interface DigAnswer {
  /** `NOERROR`, `NXDOMAIN` …; empty if there was no answer. */
  readonly status: string;
  readonly opcode: string;
  readonly flags: readonly string[];
  /** `owner ttl class type rdata`, single spaces. */
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  readonly additional: readonly string[];
  /** The lines of dig's OPT pseudosection. */
  readonly edns: readonly string[];
  readonly text: string;
}

export interface Dig {
  (...args: readonly string[]): Promise<DigAnswer>;
  readonly port: number;
}

/** Creates a dig that queries 127.0.0.1 at `port` once, without recursion. */
export function createDig(port: number): Dig {
  const dig = async (...args: readonly string[]): Promise<DigAnswer> => {
    const { stdout } = await runProgram('dig', [
      ...['-r', '@127.0.0.1', '-p', `${port}`, '+norecurse', '+tries=1', '+time=20', '+nosplit'],
      ...args,
    ]);
    return readDigOutput(stdout);
  };
  return Object.assign(dig, { port });
}

/** Fails unless the answer section's rdata of this type are exactly `rdata`, in any order, and the answer is authoritative. */
export async function expectAnswers(
  dig: Dig,
  name: string,
  type: string,
  rdata: readonly string[],
): Promise<void> {
  const found = await dig(name, type);
  expectEqual(rdataOf(found.answer, type), [...rdata].sort(), `dig ${name} ${type}\n${found.text}`);
  expectEqual(found.flags.includes('aa'), true, `the answer is authoritative\n${found.text}`);
}

/** Fails unless the nameserver answers with this status and an empty answer section. */
export async function expectStatus(dig: Dig, name: string, type: string, status: string): Promise<void> {
  const found = await dig(name, type);
  expectEqual(found.status, status, `dig ${name} ${type}\n${found.text}`);
  expectEqual(found.answer, [], `dig ${name} ${type}: answer section\n${found.text}`);
}

/** The rdata of all lines of one type, sorted. */
export function rdataOf(lines: readonly string[], type: string): string[] {
  return lines
    .map((line) => line.split(' '))
    .filter((fields) => fields[3] === type)
    .map((fields) => fields.slice(4).join(' '))
    .sort();
}

/** Parses the usual output of dig and kdig. */
export function readDigOutput(text: string): DigAnswer {
  const sections = readSections(text);
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  return {
    status: find(/status: (\w+)/),
    opcode: find(/opcode: (\w+)/),
    flags: find(/;; flags:([^;]*);/i)
      .trim()
      .split(' '),
    answer: sections.get('ANSWER') ?? [],
    authority: sections.get('AUTHORITY') ?? [],
    additional: sections.get('ADDITIONAL') ?? [],
    edns: sections.get('EDNS') ?? [],
    text,
  };
}

const SECTION_HEADING = /^;; (ANSWER|AUTHORITY|ADDITIONAL|QUESTION|OPT PSEUDO|EDNS PSEUDO) ?SECTION:/;

function readSections(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let section: string[] | undefined;
  for (const line of text.split('\n')) {
    const heading = SECTION_HEADING.exec(line)?.[1]
      ?.replace('OPT PSEUDO', 'EDNS')
      .replace('EDNS PSEUDO', 'EDNS');
    if (heading !== undefined) {
      section = [];
      sections.set(heading, section);
    } else if (line === '') section = undefined;
    else if (!line.startsWith(';') || section === sections.get('EDNS'))
      section?.push(line.replace(/^;+/, '').trim().replaceAll(/\s+/g, ' '));
  }
  return sections;
}
