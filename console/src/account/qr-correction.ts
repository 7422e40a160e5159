// Reed-Solomon error correction over GF(256), as QR codes have it: the polynomial x^8 + x^4 + x^3 + x^2 + 1, the generator 2.
const POLYNOMIAL = 0x11d;

/** Returns `count` codewords that correct errors in those of a block. */
export function correctionOf(block: readonly number[], count: number): number[] {
  const divisor = divisorOf(count);
  let rest = divisor.map(() => 0);
  for (const word of block) {
    const factor = word ^ (rest[0] ?? 0);
    const shifted = [...rest.slice(1), 0];
    rest = shifted.map((value, index) => value ^ multiply(divisor[index] ?? 0, factor));
  }
  return rest;
}

/** The coefficients of (x - 2^0)(x - 2^1)…, from the highest, without the leading 1. */
function divisorOf(degree: number): number[] {
  let coefficients = [...Array.from({ length: degree - 1 }, () => 0), 1];
  let root = 1;
  for (let step = 0; step < degree; step++) {
    const factor = root;
    coefficients = coefficients.map((value, index, all) => multiply(value, factor) ^ (all[index + 1] ?? 0));
    root = multiply(root, 2);
  }
  return coefficients;
}

function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * POLYNOMIAL);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}
