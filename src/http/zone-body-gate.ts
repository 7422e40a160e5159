import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { answerError } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/** Whole zones that are received and read at once: each takes up to half a gigabyte while it is read. */
const MAX_ZONE_BODIES = 4;

/** Half of them: no customer can keep the others out. */
const MAX_ZONE_BODIES_PER_ACCOUNT = 2;

/** Zones of so many octets are read in some 20 ms and 10 MB: they are many where domains are copied, and need no gate. */
const SMALL_ZONE_OCTETS = 1024 * 1024;

/** Turns whole zones away, before their bodies are read, where too many are under way; behind the gate of all requests. */
export function createZoneBodyGate(log: Log) {
  const byAccount = new Map<string, number>();
  let count = 0;
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (Number(request.headers['content-length'] ?? Infinity) <= SMALL_ZONE_OCTETS) {
      next();
      return;
    }
    const account = request.caller?.accountId ?? '';
    const own = byAccount.get(account) ?? 0;
    if (count >= MAX_ZONE_BODIES || own >= MAX_ZONE_BODIES_PER_ACCOUNT) {
      const message = 'Too many whole zones are being imported, try again';
      sendAnswer(request, reply, answerError({ code: 'busy', message }), log);
      return;
    }
    count++;
    byAccount.set(account, own + 1);
    reply.raw.once('close', () => {
      count--;
      const left = (byAccount.get(account) ?? 1) - 1;
      if (left === 0) byAccount.delete(account);
      else byAccount.set(account, left);
    });
    next();
  };
}
