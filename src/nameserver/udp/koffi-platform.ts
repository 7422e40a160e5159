import { endianness } from 'node:os';

/** True where the numbers and layouts in the `udp-koffi` files hold: 64-bit little-endian Linux, generic socket constants. */
export function isKoffiPlatform(): boolean {
  return (
    process.platform === 'linux' &&
    endianness() === 'LE' &&
    ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch)
  );
}
