import { DnsUnanswered, type DnsClient } from '../harness/dns-client.ts';
import { Unanswered, type HttpClient, type HttpReply } from '../harness/http-client.ts';
import {
  makeDataFolder,
  settingsFor,
  startProgramme,
  startService,
  type Service,
} from '../harness/service.ts';

/*
 * A service that is killed and started again on the same folder and ports, and the two ways to deal with it: repeat
 * a request until it is answered, repeat a question until it is answered.
 */

const PAUSE_MS = 10;
/** Shorter than usual: most unanswered questions here go to a process that has just been killed. */
const QUESTION_TIMEOUT_MS = 300;

export interface Answered {
  readonly reply: HttpReply;
  /** An earlier attempt went unanswered: it may have taken effect. */
  readonly repeated: boolean;
}

export interface Victim {
  /** Rises with every restart. */
  generation(): number;
  current(): Service;
  /** SIGKILL, at once. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Starts it only to kill it after so many milliseconds. */
  killWhileStarting(afterMs: number): Promise<void>;
  /** Sends the request until an answer comes that says something happened (503 says that nothing did). */
  request(send: (http: HttpClient) => Promise<HttpReply>): Promise<Answered>;
  ask<T>(
    question: (dns: DnsClient, options: { attempts: number; timeoutMs: number }) => Promise<T>,
  ): Promise<T>;
  end(): Promise<void>;
}

export async function startVictim(): Promise<Victim> {
  const data = makeDataFolder();
  let service = await startService({ data });
  let generation = 0;
  const settings = { ZONEWRIGHT_HTTP: service.httpAddress, ZONEWRIGHT_DNS: service.dnsAddress };

  return {
    generation: () => generation,
    current: () => service,
    kill: () => service.kill(),
    restart: async () => {
      service = await startService({ data, settings });
      generation++;
    },
    killWhileStarting: async (afterMs) => {
      const programme = startProgramme(['serve'], { ...settingsFor(data), ...settings });
      await pause(afterMs);
      programme.signal('SIGKILL');
      await programme.ended();
    },
    request: async (send) => {
      let repeated = false;
      for (;;) {
        try {
          const reply = await send(service.http);
          if (reply.status !== 503) return { reply, repeated };
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          repeated = true;
        }
        await pause(PAUSE_MS);
      }
    },
    ask: async (question) => {
      for (;;) {
        try {
          return await question(service.dns, { attempts: 1, timeoutMs: QUESTION_TIMEOUT_MS });
        } catch (error) {
          if (!(error instanceof DnsUnanswered)) throw error;
        }
        await pause(PAUSE_MS);
      }
    },
    end: async () => {
      await service.stop();
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
