/**
 * Serves the zones of a scenario in process: over UDP without a socket, so that the scenario sets client and clock;
 * over TCP on one loopback connection, with all queries in one write.
 */

import { connect } from 'node:net';
import { createAnswerer } from '../../src/nameserver/query/query-pipeline.ts';
import { NEEDS_ZONE } from '../../src/nameserver/query/answerer.ts';
import { DropLog } from '../../src/nameserver/drop-log.ts';
import { defaultLimits, UDP_MESSAGE_BYTES } from '../../src/nameserver/nameserver-limits.ts';
import { GuardedAnswerer } from '../../src/nameserver/query/guarded-answerer.ts';
import { TcpServer } from '../../src/nameserver/tcp/tcp-server.ts';
import { assert } from '../../src/base/assert.ts';
import type { CheckedZone } from '../../src/nameserver/query/check-signed-answer.test-support.ts';
import { signTestZone } from '../../src/nameserver/query/signed-zone.test-support.ts';
import { ZoneMemory } from '../../src/zone/zone-memory.ts';
import { createZoneSpace } from '../../src/zone/zone-space.ts';
import { loadZone } from '../comparison/own-answers.ts';
import type { TestRecord, TestZone } from '../comparison/test-zone.ts';
import { frames } from '../harness/nameserver/clients.ts';
import type { Scenario, ScenarioZone } from './scenario-file.ts';
import { typeNumber } from './wire-names.ts';

const MEMORY_BYTES = 16 * 2 ** 20;

export interface ScenarioServer {
  /** The signed zones as a validator knows them. */
  readonly signed: readonly CheckedZone[];
  /** Resolves with undefined if no answer was due. */
  askUdp(packet: Buffer, from: string): Promise<Buffer | undefined>;
  /** Resolves with all answers in order, when the server has closed. */
  askTcp(packets: readonly Buffer[]): Promise<readonly Buffer[]>;
}

export function serveScenario(scenario: Scenario): ScenarioServer {
  const { server } = scenario;
  const secret = server.get('cookie-secret');
  const { memory, signed } = loadScenarioZones(scenario);
  const pipeline = createAnswerer({
    memory,
    reader: 0,
    settings: {
      identifier: server.get('identifier') ?? '',
      tcpIdleMs: Number(server.get('idle-seconds') ?? 0) * 1000,
      cookieSecret: secret === undefined ? undefined : Buffer.from(secret, 'hex'),
    },
  });
  const answerer: GuardedAnswerer = new GuardedAnswerer({
    answerer: pipeline,
    // A failed load is also reported as loaded: the query is then answered without the zone.
    requestLoad: (zone) => queueMicrotask(() => answerer.zoneLoaded(zone)),
    onFault: (error) => {
      throw error;
    },
    limits: defaultLimits.pending,
  });
  const nowMs = Number(server.get('now') ?? 0) * 1000;
  return {
    signed,
    askUdp: (packet, from) => askUdp(answerer, nowMs, packet, from),
    askTcp: (packets) => askTcp(answerer, packets),
  };
}

function loadScenarioZones({ zones }: Scenario): {
  memory: SharedArrayBuffer;
  signed: readonly CheckedZone[];
} {
  const memory = new ZoneMemory(createZoneSpace(MEMORY_BYTES, 1, 99));
  const signed: CheckedZone[] = [];
  for (const zone of zones) {
    if (zone.signing === undefined) {
      loadZone(memory, toTestZone(zone));
      continue;
    }
    const { content, owners, checked } = signTestZone(toTestZone(zone), zone.signing);
    memory.host(content.apex);
    assert(memory.load(content, owners), `room for ${zone.apex}`);
    signed.push(checked);
  }
  return { memory: memory.space.memory, signed };
}

function askUdp(
  answerer: GuardedAnswerer,
  nowMs: number,
  packet: Buffer,
  from: string,
): Promise<Buffer | undefined> {
  const buffer = new Uint8Array(UDP_MESSAGE_BYTES);
  buffer.set(packet);
  answerer.client.setText(from);
  answerer.enter(nowMs);
  const length = answerer.answer(buffer, 0, packet.length, buffer.length, false);
  const reply = (octets: Uint8Array, size: number): Buffer | undefined =>
    size === 0 ? undefined : Buffer.from(octets.subarray(0, size));
  const answered =
    length !== NEEDS_ZONE
      ? Promise.resolve(reply(buffer, length))
      : new Promise<Buffer | undefined>((resolve) =>
          answerer.hold(buffer, 0, packet.length, buffer.length, false, (octets, size) =>
            resolve(reply(octets, size)),
          ),
        );
  answerer.leave();
  return answered;
}

async function askTcp(answerer: GuardedAnswerer, packets: readonly Buffer[]): Promise<readonly Buffer[]> {
  const server = new TcpServer(answerer, defaultLimits.tcp, new DropLog(() => undefined));
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    // The server closes the half-closed connection when all queries are answered.
    socket.end(frames(...packets));
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return messagesOf(Buffer.concat(chunks));
  } finally {
    server.close();
  }
}

/** Each message follows its length (RFC 1035 section 4.2.2). */
function messagesOf(stream: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < stream.length;) {
    const end = at + 2 + stream.readUInt16BE(at);
    if (end > stream.length) throw new Error('the connection ends inside a message');
    messages.push(stream.subarray(at + 2, end));
    at = end;
  }
  return messages;
}

export function toTestZone({ apex, records }: ScenarioZone): TestZone {
  const rows = records.map((line): TestRecord => {
    const [owner, ttl, type, ...data] = line.split(' ');
    return { owner, ttl: Number(ttl), type: `TYPE${typeNumber(type)}`, data: data.join(' ') };
  });
  return { apex, records: rows, without: [], asks: [] };
}
