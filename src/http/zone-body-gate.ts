import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { Turns, type TurnLimits } from '../base/turns.ts';
import { answerError } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/** Whole zones that are received and read at once, each taking up to half a gigabyte while it is read; nobody waits. */
const zoneBodyLimits: TurnLimits = {
  atOnce: 4,
  // Half of them: no customer can keep the others out.
  atOnceEach: 2,
  waiting: 0,
  waitingEach: 0,
  waitMs: 0,
};

/** Zones of so many octets are read in some 20 ms and 10 MB: they are many where domains are copied, and need no gate. */
const SMALL_ZONE_OCTETS = 1024 * 1024;

/** Turns whole zones away, before their bodies are read, where too many are under way; behind the gate of all requests. */
export function createZoneBodyGate(log: Log) {
  const turns = new Turns(zoneBodyLimits);
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (Number(request.headers['content-length'] ?? Infinity) <= SMALL_ZONE_OCTETS) {
      next();
      return;
    }
    const endTurn = turns.tryTake(request.caller?.accountId ?? '');
    if (endTurn === undefined) {
      const message = 'Too many whole zones are being imported, try again';
      sendAnswer(request, reply, answerError({ code: 'busy', message }), log);
      return;
    }
    reply.raw.once('close', endTurn);
    next();
  };
}
