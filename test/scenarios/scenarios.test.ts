import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkSignedAnswer,
  type CheckedZone,
} from '../../src/nameserver/query/check-signed-answer.test-support.ts';
import { isBelowOrEqual, readSignedMessage } from '../../src/nameserver/query/signed-message.test-support.ts';
import { readName } from '../comparison/message.ts';
import { showAnswer } from './scenario-answer.ts';
import { readScenario, type Ask } from './scenario-file.ts';
import { encodeAsk, takenOverUdp } from './scenario-query.ts';
import { serveScenario, type ScenarioServer } from './scenario-server.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.scenario'),
);
const NOBODY = '192.0.2.255';

describe.each(files)('%s', (file) => {
  const scenario = readScenario(join(folder, file));
  const server = serveScenario(scenario);
  const packets = scenario.asks.map((ask) => encodeAsk(ask, ask.line));
  const isTcp = scenario.asks.map(({ options }) => options.includes('+tcp'));
  const overTcp = server.askTcp(packets.filter((_, i) => isTcp[i]));

  test.each(scenario.asks.map((ask, i) => ({ ...ask, i })))('line $line: $title', async (ask) => {
    const query = packets[ask.i];
    const octets = isTcp[ask.i] ? findReply(await overTcp, query) : await askOverUdp(server, query, ask);
    if (ask.gets.header === 'nothing' || octets === undefined)
      return expect(octets === undefined ? 'nothing' : 'an answer').toBe(ask.gets.header);
    const shown = showAnswer(octets);
    expect(shown).toEqual({
      ...ask.gets,
      octets: ask.gets.octets ?? shown.octets,
      question: ask.gets.question ?? shown.question,
      problems: [],
    });
    checkEcho(octets, query, ask);
    if (ask.options.includes('+do')) expect(checkProofs(octets, server.signed)).toBeUndefined();
  });
});

async function askOverUdp(server: ScenarioServer, query: Buffer, ask: Ask): Promise<Buffer | undefined> {
  const from = ask.options.find((option) => option.startsWith('+from='))?.split('=')[1] ?? NOBODY;
  const octets = await server.askUdp(query, from);
  expect(octets?.length ?? 0).toBeLessThanOrEqual(takenOverUdp(ask));
  return octets;
}

/** Answers may arrive in any order (RFC 7766 section 7); the ID identifies the query. */
function findReply(replies: readonly Buffer[], query: Buffer): Buffer | undefined {
  const own = replies.filter((reply) => reply.readUInt16BE() === query.readUInt16BE());
  expect(own.length).toBeLessThanOrEqual(1);
  return own.at(0);
}

/** Answers of signed zones are proven. */
function checkProofs(octets: Buffer, zones: readonly CheckedZone[]): string | undefined {
  const { name } = readSignedMessage(octets);
  const zone = zones.find(({ apex }) => isBelowOrEqual(name, apex));
  return zone && checkSignedAnswer(octets, zone);
}

/** Every answer has the ID and opcode of its query, and repeats the question of an `ask` exactly. */
function checkEcho(octets: Buffer, query: Buffer, ask: Ask): void {
  expect(octets.readUInt16BE()).toBe(query.readUInt16BE());
  expect(octets[2] & 0x78).toBe(query[2] & 0x78);
  if (ask.query.kind === 'send') return;
  expect(octets.readUInt16BE(4)).toBe(query.readUInt16BE(4));
  if (query.readUInt16BE(4) === 0) return;
  const { end } = readName(query, 12, []);
  expect(octets.toString('latin1', 12, end + 4)).toBe(query.toString('latin1', 12, end + 4));
}
