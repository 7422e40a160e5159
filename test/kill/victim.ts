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
import { signingSettings } from './signing-settings.ts';

/*
 * A process that is killed and restarted, and the two ways to use a service that comes and goes: repeat the request,
 * repeat the question.
 */

const PAUSE_MS = 10;
/** Shorter than usual, because most unanswered questions go to a process that has just been killed. */
const QUESTION_TIMEOUT_MS = 300;

export interface Victim {
  /** Increases with every restart. */
  generation(): number;
  current(): Service;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  readonly request: Target['request'];
  /** Repeats the question until it is answered. */
  ask<T>(
    question: (dns: DnsClient, options: { attempts: number; timeoutMs: number }) => Promise<T>,
  ): Promise<T>;
}

/** A victim that is the service itself. */
export interface ServiceVictim extends Victim {
  /** Starts it and kills it after this time. */
  killWhileStarting(afterMs: number): Promise<void>;
  end(): Promise<void>;
}

export async function startVictim(): Promise<ServiceVictim> {
  const data = makeDataFolder();
  const [http, dns] = await Promise.all([freePort(), freePort()]);
  const settings = {
    ...signingSettings,
    ZONEWRIGHT_HTTP: `127.0.0.1:${http}`,
    ZONEWRIGHT_DNS: `127.0.0.1:${dns}`,
  };
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

/** Repeats requests and questions until they are answered. */
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
