import { freePort } from '../harness/free-port.ts';
import { DnsUnanswered, type DnsClient } from '../harness/dns-client.ts';
import { Unanswered } from '../harness/http-client.ts';
import {
  makeDataFolder,
  settingsFor,
  startProgram,
  startService,
  storeSettings,
  type Service,
} from '../harness/service.ts';
import type { Target } from './record-writer.ts';

/*
 * Something that is killed and started again, and the two ways to deal with a service that does not answer: repeat a
 * request, repeat a question.
 */

const PAUSE_MS = 10;
/** Shorter than usual: most unanswered questions here go to a process that has just been killed. */
const QUESTION_TIMEOUT_MS = 300;

export interface Victim {
  /** Rises with every restart. */
  generation(): number;
  current(): Service;
  /** SIGKILL, at once. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  readonly request: Target['request'];
  /** Asks until there is an answer. */
  ask<T>(
    question: (dns: DnsClient, options: { attempts: number; timeoutMs: number }) => Promise<T>,
  ): Promise<T>;
}

/** The service itself is killed. */
export interface ServiceVictim extends Victim {
  /** Starts it only to kill it after so many milliseconds. */
  killWhileStarting(afterMs: number): Promise<void>;
  end(): Promise<void>;
}

export async function startVictim(): Promise<ServiceVictim> {
  const data = makeDataFolder();
  const [http, dns] = await Promise.all([freePort(), freePort()]);
  const settings = { ZONEWRIGHT_HTTP: `127.0.0.1:${http}`, ZONEWRIGHT_DNS: `127.0.0.1:${dns}` };
  let service = await startService({ data, settings });
  let generation = 0;

  return {
    ...repeatUntilAnswered(() => service),
    generation: () => generation,
    current: () => service,
    kill: () => service.kill(),
    restart: async () => {
      service = await startService({ data, settings });
      generation++;
    },
    killWhileStarting: async (afterMs) => {
      const program = startProgram(['serve'], {
        ...settingsFor(data),
        ...(await storeSettings(data)),
        ...settings,
      });
      await pause(afterMs);
      program.signal('SIGKILL');
      await program.ended();
    },
    end: async () => {
      await service.stop();
    },
  };
}

/** The two ways to deal with a service that comes and goes. */
export function repeatUntilAnswered(service: () => Service): Pick<Victim, 'request' | 'ask'> {
  return {
    request: async (send) => {
      let repeated = false;
      for (;;) {
        try {
          const reply = await send(service().http);
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
          return await question(service().dns, { attempts: 1, timeoutMs: QUESTION_TIMEOUT_MS });
        } catch (error) {
          if (!(error instanceof DnsUnanswered)) throw error;
        }
        await pause(PAUSE_MS);
      }
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
