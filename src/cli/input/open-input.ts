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
 * UTF-8 input of a command: a file, or stdin for `-`. It can be read more than once, and line by line in little
 * memory: a stream is first copied to a file without a name, which the system removes even if the process is killed.
 */
export interface Input {
  /** For messages. */
  readonly name: string;
  readonly sizeBytes: number;
  /** The whole text. @throws CommandFailure if it cannot be read */
  text(): string;
  /** Lines without line ends. @throws CommandFailure if they cannot be read */
  lines(): Generator<string>;
  close(): void;
}

/** A hundred bytes for each of forty million records, more than any zone has. */
const MAX_SPOOLED_BYTES = 4 * 2 ** 30;

/** @throws CommandFailure if it cannot be read, or is a stream of more than `maxBytes` */
export async function openInput(
  path: string,
  terminal: Terminal,
  maxBytes = MAX_SPOOLED_BYTES,
): Promise<Input> {
  if (path === '-') return spool('stdin', terminal.input, maxBytes);
  const descriptor = readable(path, () => openSync(path, 'r'));
  const found = fstatSync(descriptor);
  if (found.isFile()) return fileInput(path, descriptor, found.size);
  // A pipe, as the shell creates for <(command).
  return spool(path, createReadStream(path, { fd: descriptor }), maxBytes);
}

/**
 * The text of a file, or of stdin for `-`. @throws CommandFailure if it cannot be read or is larger than `maxBytes`
 */
export async function readInput(path: string, terminal: Terminal, maxBytes: number): Promise<string> {
  const isStdin = path === '-';
  const name = isStdin ? 'stdin' : path;
  const source = isStdin ? terminal.input : createReadStream(path);
  return decodeUtf8(name, await readOctets(name, source, maxBytes));
}

/** @throws CommandFailure if it cannot be read or is larger than `maxBytes` */
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
 * Decodes a whole text. Invalid UTF-8 is rejected, because replacing it with U+FFFD would change the data.
 *
 * @throws CommandFailure if the text is not valid UTF-8
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
        const sentence = `${name} is larger than the limit of ${maxBytes} bytes`;
        throw new CommandFailure(exitCodes.usage, sentence);
      }
      take(piece);
    }
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreadable(name, error);
  }
}

/** Removes the name before anything is written, so that nothing is left behind, even after SIGKILL. */
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

const CHUNK_BYTES = 256 * 1024;

/** Each chunk is valid only until the next one is read. */
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
  // Rejects a character that is cut off by the end.
  yield decoded(name, () => decoder.decode());
}

function decoded(name: string, decode: () => string): string {
  try {
    return decode();
  } catch {
    const sentence = `${name} is not valid UTF-8: convert it first, for example with iconv -f latin1 -t utf8`;
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
      `cannot write a temporary file to ${tmpdir()} (${codeOf(error)})`,
    );
  }
}
