/**
 * The frame of a tar archive (POSIX.1-2017, pax), for files whose sizes are known when they begin:
 *
 *     header (512 octets) ─▶ content ─▶ zeros up to 512 ─▶ next header … ─▶ two blocks of zeros
 *
 * A path that does not fit into the header has a pax record before it. Files only: programs make the folders of their paths.
 */

const BLOCK_BYTES = 512;

/** Octets of the field `name`. */
const NAME_BYTES = 100;

/** The largest size that eleven octal digits can say: 8 GiB. Larger ones have a pax record. */
const LARGEST_OCTAL = 0o77777777777;

export interface TarFile {
  /** With slashes, in UTF-8, relative. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedSeconds: number;
}

/** The end of an archive. */
export const TAR_END_BYTES = 2 * BLOCK_BYTES;

/** Returns what comes before the content of a file. */
export function tarHeader(file: TarFile): Uint8Array {
  const { path, sizeBytes, modifiedSeconds } = file;
  const name = encode(path);
  const isLarge = sizeBytes > LARGEST_OCTAL;
  if (name.length <= NAME_BYTES && !isLarge) return header(name, sizeBytes, modifiedSeconds, '0');
  const records = [
    ...(name.length > NAME_BYTES ? [paxRecord('path', path)] : []),
    ...(isLarge ? [paxRecord('size', String(sizeBytes))] : []),
  ];
  const content = join(records);
  return join([
    header(encode('pax'), content.length, modifiedSeconds, 'x'),
    content,
    tarPadding(content.length),
    header(name.subarray(0, NAME_BYTES), isLarge ? 0 : sizeBytes, modifiedSeconds, '0'),
  ]);
}

/** Returns what comes after the content of a file. */
export function tarPadding(sizeBytes: number): Uint8Array {
  const over = sizeBytes % BLOCK_BYTES;
  return new Uint8Array(over === 0 ? 0 : BLOCK_BYTES - over);
}

function header(name: Uint8Array, sizeBytes: number, modifiedSeconds: number, type: '0' | 'x'): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(name, 0);
  block.set(octal(0o600, 8), 100);
  block.set(octal(0, 8), 108);
  block.set(octal(0, 8), 116);
  block.set(octal(sizeBytes, 12), 124);
  block.set(octal(modifiedSeconds, 12), 136);
  block.set(encode('        '), CHECKSUM_AT);
  block.set(encode(type), 156);
  block.set(encode('ustar\u000000'), 257);
  let sum = 0;
  for (const octet of block) sum += octet;
  // Six digits, a zero and the space that is there.
  block.set(octal(sum, 7), CHECKSUM_AT);
  return block;
}

const CHECKSUM_AT = 148;

/** Octal digits and a final zero. */
function octal(value: number, length: number): Uint8Array {
  return encode(`${value.toString(8).padStart(length - 1, '0')}\u0000`);
}

/** `27 path=domains/…\n`: its own length in decimal comes first. */
function paxRecord(keyword: string, value: string): Uint8Array {
  const rest = encode(` ${keyword}=${value}\n`);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return join([encode(String(length)), rest]);
}

const encoder = new TextEncoder();

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
