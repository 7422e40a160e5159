/** Makes headers of the PROXY protocol, version 2, as a proxy sends them. */
export interface ProxyHeaderParts {
  /** Version in the upper half, command in the lower: 0x20 is LOCAL, 0x21 is PROXY. */
  readonly command?: number;
  /** Family in the upper half, transport in the lower: 0x11 is TCP over IPv4. */
  readonly family?: number;
  /** Addresses, ports and TLVs. */
  readonly rest?: Buffer;
  /** The length that the header states, if it is not that of the rest. */
  readonly length?: number;
}

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

export function makeProxyHeader({
  command = 0x21,
  family = 0x11,
  rest = Buffer.alloc(0),
  length = rest.length,
}: ProxyHeaderParts): Buffer {
  return Buffer.concat([signature, Buffer.from([command, family, length >> 8, length & 255]), rest]);
}

/** A header for a client at an IPv4 address, followed by TLVs. */
export function proxyHeaderFor(address: string, tlvs = Buffer.alloc(0)): Buffer {
  const source = address.split('.').map(Number);
  return makeProxyHeader({
    rest: Buffer.concat([Buffer.from([...source, 127, 0, 0, 1, 0x30, 0x39, 0x1f, 0x90]), tlvs]),
  });
}
