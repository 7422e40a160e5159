import { endianness } from 'node:os';

/**
 * True if the constants and layouts of the koffi socket code apply: 64-bit little-endian Linux with generic socket
 * constants.
 */
export function isKoffiPlatform(): boolean {
  return (
    process.platform === 'linux' &&
    endianness() === 'LE' &&
    ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch)
  );
}
