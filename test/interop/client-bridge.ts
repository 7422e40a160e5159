// Drives a client library in another language through a small program that reads one JSON call per line and answers
// one JSON line:
//
//   {"call": "createRecord", "domain": "example.com", …}  ─▶  {"result": …}  or  {"error": "the client's message"}

import { createInterface } from 'node:readline';
import type { ClientDomain, ClientRecord, DnsClient, Soa } from './dns-client.ts';
import { startProgram, stopProgram } from './run-program.ts';

/** The wait for a bridge that does not end when its input ends. */
const STOP_GRACE_MS = 5_000;

export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the library knows the SOA and DNSSEC resources. */
  readonly knowsSoa: boolean;
}

/** Starts the bridge program. Calls are sent one at a time. */
export function openClientBridge({ command, args, env, knowsSoa }: BridgeCommand): DnsClient {
  const program = startProgram(command, args, { env });
  const { stdin, stdout, stderr } = program;
  if (!stdin || !stdout || !stderr) throw new Error(`${command} was started without pipes`);
  let said = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();

  const ask = async (request: object): Promise<unknown> => {
    stdin.write(`${JSON.stringify(request)}\n`);
    const line = await lines.next();
    if (line.done) throw new Error(`${command} ended in the middle of a call:\n${said}`);
    const reply = JSON.parse(line.value) as { result?: unknown; error?: string };
    if (reply.error !== undefined) throw new Error(`${reply.error}\n${said}`.trimEnd());
    return reply.result;
  };
  const call = <T>(name: string, parameters: object = {}): Promise<T> => {
    const answer = last.then(() => ask({ call: name, ...parameters }));
    last = answer.catch(() => undefined);
    return answer as Promise<T>;
  };

  return {
    listDomains: () => call<string[]>('listDomains'),
    getDomain: (domain) => call<ClientDomain>('getDomain', { domain }),
    createDomain: (domain, ip, signed) => call<ClientDomain>('createDomain', { domain, ip, signed }),
    deleteDomain: (domain) => call('deleteDomain', { domain }),
    listRecords: (domain) => call<ClientRecord[]>('listRecords', { domain }),
    getRecord: (domain, id) => call<ClientRecord>('getRecord', { domain, id }),
    createRecord: (domain, record) => call<ClientRecord>('createRecord', { domain, record }),
    updateRecord: (domain, id, record) => call('updateRecord', { domain, id, record }),
    deleteRecord: (domain, id) => call('deleteRecord', { domain, id }),
    soa: knowsSoa
      ? {
          read: (domain) => call<Soa>('readSoa', { domain }),
          update: (domain, soa) => call('updateSoa', { domain, soa }),
          listDnssec: (domain) => call<string[]>('listDnssec', { domain }),
          setDnssec: (domain, state) => call('setDnssec', { domain, state }),
        }
      : undefined,
    close: async () => {
      stdin.end();
      await stopProgram(program, STOP_GRACE_MS);
    },
  };
}
