import {
  closeSync,
  createReadStream,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { codeOf, unreadable } from '../failures/file-failures.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * What a command reads: a file, or stdin for `-`, in UTF-8. It can be read more than once, and line by line in little memory:
 * what is no file goes into one without a name, which the system removes however the command ends.
 */
export interface Input {
  /** For people. */
  readonly name: string;
  readonly sizeBytes: number;
  /** All of it. @throws CommandFailure when it cannot be read */
  text(): string;
  /** Without their ends. @throws CommandFailure when they cannot be read */
  lines(): Generator<string>;
  close(): void;
}

/** A hundred bytes for each of forty million records; what is larger is not a zone. */
const MAX_SPOOLED_BYTES = 4 * 2 ** 30;

/** @throws CommandFailure when it cannot be read, or is no file and larger than `maxBytes` */
export async function openInput(
  path: string,
  terminal: Terminal,
  maxBytes = MAX_SPOOLED_BYTES,
): Promise<Input> {
  if (path === '-') return spool('stdin', terminal.input, maxBytes);
  const descriptor = readable(path, () => openSync(path, 'r'));
  const found = fstatSync(descriptor);
  if (found.isFile()) return fileInput(path, descriptor, found.size);
  // A pipe, as the shell makes one of <(command).
  return spool(path, createReadStream(path, { fd: descriptor }), maxBytes);
}

/** All of a file, or of stdin for `-`. @throws CommandFailure when it cannot be read, or is larger than `maxBytes` */
export async function readInput(path: string, terminal: Terminal, maxBytes: number): Promise<string> {
  const isStdin = path === '-';
  const name = isStdin ? 'stdin' : path;
  const source = isStdin ? terminal.input : createReadStream(path);
  return decodeUtf8(name, await readOctets(name, source, maxBytes));
}

/** @throws CommandFailure when it cannot be read, or is larger than `maxBytes` */
export async function readOctets(
  name: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await readPieces(name, source, maxBytes, (piece) => {
    pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

/**
 * All of a text. Octets that are no UTF-8 are refused: to write U+FFFD in their place would change what they say.
 *
 * @throws CommandFailure when there are such
 */
export function decodeUtf8(name: string, octets: Uint8Array): string {
  return [...decodePieces(name, [octets])].join('');
}

async function spool(name: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Input> {
  const descriptor = openNameless();
  let sizeBytes = 0;
  try {
    await readPieces(name, source, maxBytes, (piece) => {
      kept(() => {
        writeFileSync(descriptor, piece);
      });
      sizeBytes += piece.length;
    });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return fileInput(name, descriptor, sizeBytes);
}

async function readPieces(
  name: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  let sizeBytes = 0;
  try {
    for await (const piece of source) {
      sizeBytes += piece.length;
      if (sizeBytes > maxBytes) {
        const sentence = `${name} is larger than the ${maxBytes} bytes that can be taken at once`;
        throw new CommandFailure(exitCodes.usage, sentence);
      }
      take(piece);
    }
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreadable(name, error);
  }
}

/** The name is gone before anything is written: nothing is left behind, not even by SIGKILL. */
function openNameless(): number {
  return kept(() => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));
    try {
      return openSync(join(folder, 'input'), 'wx+', 0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

function fileInput(name: string, descriptor: number, sizeBytes: number): Input {
  return {
    name,
    sizeBytes,
    text: () => [...decodePieces(name, chunksOf(name, descriptor))].join(''),
    lines: () => linesOf(decodePieces(name, chunksOf(name, descriptor))),
    close() {
      closeSync(descriptor);
    },
  };
}

/** What is read from the disk at once. */
const CHUNK_BYTES = 256 * 1024;

/** Each holds until the next is asked for. */
function* chunksOf(name: string, descriptor: number): Generator<Uint8Array> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = 0; ;) {
    const size = readable(name, () => readSync(descriptor, chunk, 0, chunk.length, position));
    if (size === 0) return;
    position += size;
    yield chunk.subarray(0, size);
  }
}

function* decodePieces(name: string, pieces: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (const piece of pieces) yield decoded(name, () => decoder.decode(piece, { stream: true }));
  // Refuses a character that the end cuts off.
  yield decoded(name, () => decoder.decode());
}

function decoded(name: string, decode: () => string): string {
  try {
    return decode();
  } catch {
    const sentence = `${name} is not in UTF-8: convert it first, from Latin-1 for example with iconv -f latin1 -t utf8`;
    throw new CommandFailure(exitCodes.usage, sentence);
  }
}

function* linesOf(texts: Iterable<string>): Generator<string> {
  let rest = '';
  for (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function readable<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(name, error);
  }
}

function kept<T>(keep: () => T): T {
  try {
    return keep();
  } catch (error) {
    throw new CommandFailure(
      exitCodes.failed,
      `what is read cannot be kept in ${tmpdir()} (${codeOf(error)})`,
    );
  }
}
