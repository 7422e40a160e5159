// Shows zones, questions and answers the way dig does.

import { decodeMessage, type Message, type Query, type WireRecord } from './message.ts';
import { showSignedData } from './signed-records.ts';

export function showQuery({ name, type, tcp, ednsBytes, dnssecOk = false }: Query): string {
  const edns = ednsBytes === undefined ? '+noedns' : `+bufsize=${ednsBytes}`;
  return `${name} ${type} ${tcp ? '+tcp' : '+notcp'} ${edns}${dnssecOk ? ' +dnssec' : ''}`;
}

export function showAnswer(bytes: Buffer | undefined): string {
  if (bytes === undefined) return '(no answer)';
  try {
    return showMessage(decodeMessage(bytes));
  } catch (error) {
    return `(unreadable: ${(error as Error).message}) ${bytes.toString('hex')}`;
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function showMessage(message: Message): string {
  const flags = (['aa', 'tc', 'rd', 'ra'] as const).filter((flag) => message[flag]).join(' ');
  const sections = (['answer', 'authority', 'additional'] as const).flatMap((name) =>
    message[name].length === 0 ? [] : [`;; ${name.toUpperCase()}`, ...message[name].map(showRecord)],
  );
  return [`;; status: ${message.rcode}; flags: ${flags}; ${message.bytes} octets`, ...sections].join('\n');
}

function showRecord(record: WireRecord): string {
  const { owner, ttl, type } = record;
  const text = showSignedData(record) ?? record.text;
  return `${owner} ${ttl} IN ${type} ${text.length > 120 ? `${text.slice(0, 120)}…` : text}`;
}
