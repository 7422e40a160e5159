import { execFileSync } from 'node:child_process';
import { threadId } from 'node:worker_threads';
import { NEEDS_ZONE, type Answerer, type CreateAnswerer } from '../../../src/nameserver/query/answerer.ts';
import { ClientAddress } from '../../../src/nameserver/query/client-address.ts';

/**
 * An answerer for tests of the transports: after a twelve-octet header, the packet is a command in ASCII. Its replies
 * have the QR bit set. The shared memory holds a flag per zone (a number) that says whether it is loaded.
 *
 *     echo …      the packet itself                  zone N …   the packet, once zone N is loaded
 *     size N      N octets                           none       no answer
 *     thread      the id of the answering thread     fault      the answerer throws
 *     crash       the thread crashes soon after      exit       the thread exits
 *     hang        the thread loops forever
 *     stuck FILE  the thread blocks in a system call, where it cannot be terminated, while the file exists
 */
export const createAnswerer: CreateAnswerer = ({ memory }) => new CommandAnswerer(new Uint8Array(memory));

class CommandAnswerer implements Answerer {
  readonly client = new ClientAddress();
  private readonly loaded: Uint8Array;
  private inside = false;
  private needed = '';

  constructor(loaded: Uint8Array) {
    this.loaded = loaded;
  }

  enter(): void {
    if (this.inside) throw new Error('entered twice');
    this.inside = true;
  }

  leave(): void {
    this.inside = false;
  }

  answer(buffer: Uint8Array, offset: number, length: number, limit: number, overTcp: boolean): number {
    if (!this.inside) throw new Error('answering outside a run');
    if (limit < (overTcp ? 65_535 : 4_096) || offset + limit > buffer.length)
      throw new Error('too little room');
    if (length < 12) return 0;
    const body = Buffer.from(buffer.buffer, buffer.byteOffset + offset + 12, length - 12).toString('latin1');
    const [command, argument = ''] = body.split(' ');
    switch (command) {
      case 'size':
        buffer.fill(0x61, offset + 12, offset + Number(argument));
        return respond(buffer, offset, Number(argument));
      case 'zone':
        this.needed = argument;
        return this.loaded[Number(argument)] === 1 ? respond(buffer, offset, length) : NEEDS_ZONE;
      case 'thread':
        return respond(
          buffer,
          offset,
          12 + Buffer.from(buffer.buffer).write(String(threadId), buffer.byteOffset + offset + 12),
        );
      case 'none':
        return 0;
      case 'fault':
        throw new Error('a fault in the answer path');
      case 'crash':
        setTimeout(() => {
          throw new Error('told to crash');
        });
        return 0;
      case 'hang':
        while (!this.needed.includes('never')) this.needed = '';
        return 0;
      case 'stuck':
        execFileSync('sh', ['-c', 'while [ -e "$0" ]; do sleep 0.05; done', argument]);
        return 0;
      case 'exit':
        process.exit(3);
      default:
        return respond(buffer, offset, length);
    }
  }

  neededZone(): string {
    return this.needed;
  }

  fail(buffer: Uint8Array, offset: number, length: number, rcode: number): number {
    if (length < 12) return 0;
    buffer[offset + 3] = rcode;
    return respond(buffer, offset, 12);
  }
}

function respond(buffer: Uint8Array, offset: number, length: number): number {
  buffer[offset + 2] = 0x80;
  return length;
}
