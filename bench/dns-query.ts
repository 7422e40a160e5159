/** Encodes a query for the A record of a name, without EDNS. */
export function encodeQuery(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1'));
  const header = Buffer.from([0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 1, 0, 1])]);
}
