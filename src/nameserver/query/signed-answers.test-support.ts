/**
 * Asks the query pipeline for answers of signed test zones, and gives each to the checks of a validator. The same zone
 * without signatures tells what else an answer has to be.
 */

import { createZoneSpace } from '../../zone/zone-space.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { parseScenario } from '../../../test/scenarios/scenario-file.ts';
import { encodeAsk } from '../../../test/scenarios/scenario-query.ts';
import { toTestZone } from '../../../test/scenarios/scenario-server.ts';
import type { TestZone } from '../../../test/comparison/test-zone.ts';
import type { Answerer } from './answerer.ts';
import { checkSignedAnswer } from './check-signed-answer.test-support.ts';
import { createAnswerer } from './query-pipeline.ts';
import {
  signTestZone,
  unsignedContent,
  type SignedZone,
  type TestSigning,
} from './signed-zone.test-support.ts';

const MEMORY_BYTES = 16 * 2 ** 20;
/** Room for a message over UDP and over TCP, as the sockets have it. */
const UDP_ROOM_BYTES = 4096;
const TCP_ROOM_BYTES = 65_535;

export interface Asked {
  readonly name: string;
  readonly type: string;
  /** Largest answer over UDP; undefined: no EDNS. */
  readonly ednsBytes?: number | undefined;
  readonly dnssecOk: boolean;
  readonly overTcp: boolean;
}

export interface SignedAnswers {
  readonly zone: SignedZone;
  ask(asked: Asked): Buffer;
  /** The answer of the same zone without signatures. */
  askUnsigned(asked: Asked): Buffer;
  /** Asks with DO; returns the problems of the answer, or undefined if there is none. */
  check(asked: Omit<Asked, 'dnssecOk'>): string | undefined;
}

/** @param text a zone as in scenario files, with the `zone` line */
export function readScenarioZone(text: string): TestZone {
  const { zones } = parseScenario('zone', `${text}\nask . A\ngets NOERROR`);
  return toTestZone(zones[0]);
}

export function answerSigned(zone: TestZone, signing: TestSigning): SignedAnswers {
  const signed = signTestZone(zone, signing);
  const ask = answerZone(signed);
  return {
    zone: signed,
    ask,
    askUnsigned: answerZone(unsignedContent(signed)),
    check: (asked) => checkSignedAnswer(ask({ ...asked, dnssecOk: true }), signed.checked),
  };
}

/** Serves one zone, signed or not. */
export function answerZone(zone: Pick<SignedZone, 'content' | 'owners'>): (asked: Asked) => Buffer {
  const answerer = createAnswerer({ memory: loadSignedZones([zone]), reader: 0 });
  return (asked) => askAnswerer(answerer, asked);
}

export function loadSignedZones(
  zones: readonly Pick<SignedZone, 'content' | 'owners'>[],
  readers = 1,
): SharedArrayBuffer {
  const memory = new ZoneMemory(createZoneSpace(MEMORY_BYTES, readers, 99));
  for (const { content, owners } of zones) {
    memory.host(content.apex);
    if (!memory.load(content, owners)) throw new Error('no room for the zone');
  }
  return memory.space.memory;
}

export function packetOf({ name, type, ednsBytes, dnssecOk }: Asked): Buffer {
  const options = [...(ednsBytes === undefined ? [] : [`+edns=${ednsBytes}`]), ...(dnssecOk ? ['+do'] : [])];
  const query = { kind: 'ask', name, type } as const;
  return encodeAsk({ line: 0, title: '', query, options, gets: noExpectation }, 1);
}

function askAnswerer(answerer: Answerer, asked: Asked): Buffer {
  const { name, type, overTcp } = asked;
  const packet = packetOf(asked);
  const buffer = new Uint8Array(overTcp ? TCP_ROOM_BYTES : UDP_ROOM_BYTES);
  buffer.set(packet);
  answerer.enter(0);
  const length = answerer.answer(buffer, 0, packet.length, buffer.length, overTcp);
  answerer.leave();
  if (length <= 0) throw new Error(`no answer to ${name} ${type}`);
  return Buffer.from(buffer.subarray(0, length));
}

const noExpectation = {
  header: '',
  octets: undefined,
  question: undefined,
  answer: [],
  authority: [],
  additional: [],
  edns: [],
};
